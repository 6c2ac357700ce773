/** What was found in what visitors did, each with its evidence; and having it explained. */
import { count, grouped, stageWords } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import {
  type ScenarioFinding,
  type ScenarioIds,
  useDismissScenarioFinding,
  useExplainWindow,
  useScenarioFindings,
  useScenarioSignals,
} from '../../data/user-testing.ts';
import { FactList } from '../fact-list.tsx';
import { InstantText } from '../instant-text.tsx';
import { QueryView } from '../query-view.tsx';

export function ScenarioFindings({ ids }: { ids: ScenarioIds }) {
  return (
    <>
      <section aria-labelledby="findings">
        <h2 id="findings">Findings</h2>
        <p className="intro">
          What was found in conversations of the last seven days that are over. The same problem
          stays one finding over time.
        </p>
        <QueryView query={useScenarioFindings(ids)}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="hint">Nothing to look at.</p>
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
      <Explained ids={ids} />
    </>
  );
}

function Finding({ ids, finding }: { ids: ScenarioIds; finding: ScenarioFinding }) {
  const { evidence, firstFailedStage, dismissedAt, resolvedAt } = finding;
  const { affected, sliceTotal, exemplarSessionIds, contrastSessionIds } = evidence;
  const status = `${finding.status}${dismissedAt === null ? '' : ', dismissed'}`;
  return (
    <details className="finding" id={finding.id}>
      <summary>
        <b>
          <bdi>{finding.title}</bdi>
        </b>
        <span className="hint figures">
          {`${status} · ${grouped(affected)} of ${count(sliceTotal, 'conversation')}`}
        </span>
      </summary>
      <p className="next">
        <b>Next:</b> {finding.nextAction}
      </p>
      <FactList
        facts={[
          [
            'First failed stage',
            firstFailedStage === undefined ? 'none' : stageWords[firstFailedStage],
          ],
          ['First seen', <InstantText key="first" atMs={finding.firstSeenAt} />],
          ['Last seen', <InstantText key="last" atMs={finding.lastSeenAt} />],
          ...(resolvedAt === null
            ? []
            : ([['Resolved', <InstantText key="resolved" atMs={resolvedAt} />]] as const)),
        ]}
      />
      <ol className="finding-evidence" aria-label="Evidence">
        {exemplarSessionIds.map((sessionId, at) => (
          <VisitLink key={sessionId} {...{ ids, sessionId }}>
            {`Conversation in which it happened, ${at + 1}`}
          </VisitLink>
        ))}
        {contrastSessionIds.map((sessionId, at) => (
          <VisitLink key={sessionId} {...{ ids, sessionId }}>
            {`Conversation in which it did not, ${at + 1}`}
          </VisitLink>
        ))}
      </ol>
      <Dismiss ids={ids} finding={finding} />
    </details>
  );
}

function VisitLink(props: { ids: ScenarioIds; sessionId: string; children: string }) {
  return (
    <li>
      <Link
        to="/projects/$projectId/user-testing/$scenarioId/sessions/$sessionId"
        params={{ ...props.ids, sessionId: props.sessionId }}
      >
        {props.children}
      </Link>
    </li>
  );
}

function Dismiss({ ids, finding }: { ids: ScenarioIds; finding: ScenarioFinding }) {
  const dismiss = useDismissScenarioFinding(ids, finding.id);
  const isDismissed = finding.dismissedAt !== null;
  return (
    <div>
      <button
        type="button"
        className="small"
        disabled={dismiss.isPending}
        onClick={() => dismiss.mutate(!isDismissed)}
      >
        {isDismissed ? 'Show again' : 'Dismiss'}
      </button>
      <div role="alert">
        {dismiss.error !== null && <p className="form-problem">{dismiss.error.message}</p>}
      </div>
    </div>
  );
}

function Explained({ ids }: { ids: ScenarioIds }) {
  const explain = useExplainWindow(ids);
  return (
    <section aria-labelledby="insights">
      <h2 id="insights">Insights</h2>
      <QueryView query={useScenarioSignals(ids)}>
        {({ signals, insights }) => {
          if (signals === null) {
            return <p className="hint">No conversation is over yet, so nothing was looked at.</p>;
          }
          const { summary, modelUsed } = insights?.insights ?? {};
          const isDone = insights?.status === 'completed';
          return (
            <>
              <p className="intro" role="status">
                {count(signals.sessionCount, 'conversation')} until{' '}
                <InstantText atMs={signals.windowEndAt} />.
                {signals.dataStale && ' Somebody said or rated something since.'}
                {signals.lowConfidence && ' More than half of them were not over yet.'}
                {insights?.status === 'pending' && ' It is being explained.'}
                {insights?.status === 'failed' && ` ${insights.errorMessage ?? ''}`}
              </p>
              {typeof summary === 'string' && <p className="foreign-text">{summary}</p>}
              {typeof modelUsed === 'string' && <p className="hint">Written by {modelUsed}.</p>}
              {insights?.status !== 'pending' && signals.canRequest && (
                <button
                  type="button"
                  disabled={explain.isPending}
                  onClick={() => explain.mutate(isDone)}
                >
                  {isDone ? 'Explain again' : 'Explain what was found'}
                </button>
              )}
              <div role="alert">
                {explain.error !== null && <p className="form-problem">{explain.error.message}</p>}
              </div>
            </>
          );
        }}
      </QueryView>
    </section>
  );
}
