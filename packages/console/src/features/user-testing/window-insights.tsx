/**
 * Insights of the newest weekly window: counted problems with explanations. The author of the
 * explanations (rules or a model) is named.
 */

import { InstantText } from '../../kit/instant-text.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { InsightsBlock } from '../insights/index.ts';
import {
  type ScenarioIds,
  useCancelWindowInsights,
  useExplainWindow,
  useScenarioInsights,
  useScenarioSignals,
} from './data/user-testing.ts';
import { VisitLink } from './visit-link.tsx';

export function WindowInsights({ ids }: { ids: ScenarioIds }) {
  const asking = useExplainWindow(ids);
  const canceling = useCancelWindowInsights(ids);
  return (
    <QueryView query={useScenarioInsights(ids)}>
      {(insights) => {
        if (insights === null || insights.status === 'not_available') {
          return <NotYet reason={insights?.reasonCode} />;
        }
        const windowId = insights.scope.id;
        return (
          <>
            <InsightsBlock
              projectId={ids.projectId}
              insights={insights}
              asking={asking}
              unit="conversation"
              cancelling={{ ...canceling, mutate: () => canceling.mutate(windowId) }}
              evidenceLink={({ sessionId }, words) =>
                sessionId === undefined ? (
                  words
                ) : (
                  <VisitLink ids={ids} sessionId={sessionId}>
                    {words}
                  </VisitLink>
                )
              }
            />
            <LookedAt ids={ids} />
          </>
        );
      }}
    </QueryView>
  );
}

function NotYet({ reason }: { reason: string | null | undefined }) {
  return (
    <section aria-labelledby="insights">
      <h2 id="insights">Insights</h2>
      <p className="hint">
        {reason === 'insights_off'
          ? 'The operator has switched insights off.'
          : 'Nothing was examined yet. Conversations are examined about a minute after they are over.'}
      </p>
    </section>
  );
}

function LookedAt({ ids }: { ids: ScenarioIds }) {
  const { data: signals } = useScenarioSignals(ids);
  if (!signals) return null;
  return (
    <p className="hint">
      Conversations from <InstantText atMs={signals.windowStartAt} /> until{' '}
      <InstantText atMs={signals.windowEndAt} /> were examined.
      {signals.dataStale && ' There are newer messages or ratings.'}
    </p>
  );
}
