/**
 * Reasons why criteria did not hold, from the grades of the sessions. Each reason shows its number
 * of sessions and links to the first of them.
 */
import { criterionName } from '@proofmark/domain';
import { failReasonWords, targetName } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import type { RunIds } from '../evals/index.ts';
import type { JourneyRun, RunScorecard } from './data/journey-runs.ts';
import { gradeWords } from './session-words.ts';

type Criterion = RunScorecard['criteria'][number];

export function FailReasons(props: { ids: RunIds; run: JourneyRun; card: RunScorecard }) {
  const failing = props.card.criteria.filter(({ failReasons }) => failReasons.length > 0);
  if (failing.length === 0) return null;
  return (
    <section aria-labelledby="fail-reasons">
      <h2 id="fail-reasons">Checks that did not hold, with reasons</h2>
      {failing.map((criterion) => (
        <Reasons key={criterion.id} ids={props.ids} run={props.run} criterion={criterion} />
      ))}
    </section>
  );
}

function Reasons(props: { ids: RunIds; run: JourneyRun; criterion: Criterion }) {
  const { ids, run, criterion } = props;
  const { tone } = gradeWords(false, criterion.role);
  return (
    <>
      <h3>
        <bdi className={`tone-${tone}`}>{criterionName(criterion)}</bdi>
      </h3>
      <ul className="plain-list fail-reasons" aria-label={criterionName(criterion)}>
        {criterion.failReasons.map(({ reason, sessionId }, at) => (
          <li key={reason}>
            <p className="foreign-text">{reason}</p>
            <p className="hint">
              {failReasonWords(criterion, at)}
              {sessionId !== null && (
                <>
                  {' '}
                  <Link
                    to="/projects/$projectId/journey-runs/$runId/sessions/$sessionId"
                    params={{ ...ids, sessionId }}
                  >
                    {sessionName(run, sessionId)}
                  </Link>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function sessionName({ attempts = [], targets }: JourneyRun, sessionId: string): string {
  const attempt = attempts.find((one) => one.sessionId === sessionId);
  if (attempt === undefined) return 'Read a session with this reason';
  const target = targets.find(({ targetId }) => targetId === attempt.targetId);
  const session = `session ${attempt.sessionIndex + 1}`;
  return target === undefined || targets.length === 1
    ? `Read ${session}`
    : `Read ${targetName(target)}, ${session}`;
}
