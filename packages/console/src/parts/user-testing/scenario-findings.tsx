/** What was found in what visitors did, each with its evidence. */
import { count, grouped, stageWords } from '@proofmark/domain';
import {
  type ScenarioFinding,
  type ScenarioIds,
  useDismissScenarioFinding,
  useScenarioFindings,
} from '../../data/user-testing.ts';
import { DismissButton } from '../dismiss-button.tsx';
import { FactList } from '../fact-list.tsx';
import { InstantText } from '../instant-text.tsx';
import { QueryView } from '../query-view.tsx';
import { VisitLink } from './visit-link.tsx';
import { WindowInsights } from './window-insights.tsx';

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
      <WindowInsights ids={ids} />
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
          <li key={sessionId}>
            <VisitLink {...{ ids, sessionId }}>
              {`Conversation in which it happened, ${at + 1}`}
            </VisitLink>
          </li>
        ))}
        {contrastSessionIds.map((sessionId, at) => (
          <li key={sessionId}>
            <VisitLink {...{ ids, sessionId }}>
              {`Conversation in which it did not, ${at + 1}`}
            </VisitLink>
          </li>
        ))}
      </ol>
      <Dismiss ids={ids} finding={finding} />
    </details>
  );
}

function Dismiss({ ids, finding }: { ids: ScenarioIds; finding: ScenarioFinding }) {
  const dismissing = useDismissScenarioFinding(ids, finding.id);
  return <DismissButton isDismissed={finding.dismissedAt !== null} dismissing={dismissing} />;
}
