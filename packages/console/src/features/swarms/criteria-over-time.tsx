/**
 * For each criterion, the rate of graded sessions in which it held, run by run. A criterion keeps
 * its id over time. Runs without the criterion leave a gap.
 */
import { criterionName, grouped } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import type { JourneyRun, RunScorecard } from './data/journey-runs.ts';

export function CriteriaOverTime(props: {
  projectId: string;
  runs: readonly JourneyRun[];
  cards: readonly (RunScorecard | null)[];
}) {
  const { projectId, runs, cards } = props;
  const known = new Map(
    [...cards]
      .reverse()
      .flatMap((card) => card?.criteria.map((one) => [one.id, one] as const) ?? []),
  );
  if (known.size === 0) return null;
  return (
    <section aria-labelledby="over-time">
      <h2 id="over-time">Checks over time</h2>
      <p className="intro">Graded sessions in which each check held, the newest run first.</p>
      <table className="over-time">
        <thead>
          <tr>
            <th scope="col">Check</th>
            {runs.map(({ id, createdAt }) => (
              <th key={id} scope="col">
                {moment.format(createdAt)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...known.values()].map((criterion) => (
            <tr key={criterion.id}>
              <th scope="row">
                <bdi>{criterionName(criterion)}</bdi>
                {criterion.role === 'advisory' && <p className="hint">decides nothing</p>}
              </th>
              {runs.map(({ id: runId, createdAt }, at) => (
                <td key={runId} data-label={moment.format(createdAt)} className="figures">
                  <Link to="/projects/$projectId/journey-runs/$runId" params={{ projectId, runId }}>
                    <Held card={cards[at] ?? null} criterionId={criterion.id} />
                  </Link>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const moment = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

function Held(props: { card: RunScorecard | null; criterionId: string }) {
  const { card, criterionId } = props;
  const found = card?.criteria.find(({ id }) => id === criterionId);
  if (card === null || found === undefined || found.failRate === null) return 'not graded';
  const tone = found.failCount === 0 ? 'pass' : found.role === 'gating' ? 'fail' : 'hold';
  const { sessionsGraded, distinctTranscripts } = card;
  const copies = distinctTranscripts < sessionsGraded ? `, ${distinctTranscripts} distinct` : '';
  return (
    <span
      className={`tone-${tone}`}
    >{`${grouped(found.passCount)} of ${grouped(sessionsGraded)}${copies}`}</span>
  );
}
