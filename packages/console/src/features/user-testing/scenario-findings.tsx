import { overSentence, visitFindingFigures } from '@proofmark/report';
import { InstantText } from '../../kit/instant-text.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { FindingRow } from '../insights/index.ts';
import {
  type ScenarioFinding,
  type ScenarioIds,
  useDismissScenarioFinding,
  useScenarioFindings,
} from './data/user-testing.ts';
import { VisitLink } from './visit-link.tsx';
import { WindowInsights } from './window-insights.tsx';

export function ScenarioFindings({ ids }: { ids: ScenarioIds }) {
  return (
    <>
      <section aria-labelledby="findings">
        <h2 id="findings">Findings</h2>
        <p className="intro">
          Problems in conversations of the last seven days that are over. The same problem stays one
          finding over time. {overSentence}
        </p>
        <QueryView query={useScenarioFindings(ids)}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="hint">No findings.</p>
            ) : (
              <ul className="findings">
                {items.map((finding) => (
                  <li key={finding.id}>
                    <Finding ids={ids} finding={finding} />
                  </li>
                ))}
              </ul>
            )
          }
        </QueryView>
      </section>
      <WindowInsights ids={ids} />
    </>
  );
}

function Finding({ ids, finding }: { ids: ScenarioIds; finding: ScenarioFinding }) {
  const { exemplarSessionIds, contrastSessionIds } = finding.evidence;
  const conversations = (sessionIds: readonly string[], words: string) =>
    sessionIds.map((sessionId, at) => (
      <li key={sessionId}>
        <VisitLink ids={ids} sessionId={sessionId}>{`${words}, ${at + 1}`}</VisitLink>
      </li>
    ));
  return (
    <FindingRow
      finding={finding}
      figures={visitFindingFigures(finding)}
      lastSeen={<InstantText atMs={finding.lastSeenAt} />}
      evidence={
        <>
          {conversations(exemplarSessionIds, 'Conversation in which it happened')}
          {conversations(contrastSessionIds, 'Conversation in which it did not')}
        </>
      }
      dismissing={useDismissScenarioFinding(ids, finding.id)}
    />
  );
}
