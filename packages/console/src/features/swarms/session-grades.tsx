import { criterionName, percent } from '@proofmark/domain';
import { FactList } from '../../kit/fact-list.tsx';
import { keepPercent } from '../evals/index.ts';
import type { JourneySession, RunScorecard } from './data/journey-runs.ts';
import { gradeWords } from './session-words.ts';

export function SessionCriteria(props: {
  grades: JourneySession['criteria'];
  criteria: RunScorecard['criteria'];
}) {
  return (
    <section aria-labelledby="criteria">
      <h2 id="criteria">Checks</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">Outcome</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {props.grades.map(({ criterionId, passed, reason }) => {
            const known = props.criteria.find(({ id }) => id === criterionId);
            const { word, tone } = gradeWords(passed, known?.role ?? 'gating');
            return (
              <tr key={criterionId}>
                <th scope="row">
                  <bdi>{known === undefined ? criterionId : criterionName(known)}</bdi>
                  {known?.role === 'advisory' && <p className="hint">decides nothing</p>}
                </th>
                <td data-label="Outcome">
                  <b className={`outcome tone-${tone}`}>{word}</b>
                </td>
                <td data-label="Reason" className="foreign-text">
                  {reason}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** The judge's grade does not affect the verdict, so it is never shown in red. */
export function SessionJudge({
  goalScore,
}: {
  goalScore: NonNullable<JourneySession['goalScore']>;
}) {
  const { status, score, passed, threshold, reason, judgeModel } = goalScore;
  return (
    <section aria-labelledby="judge">
      <h2 id="judge">Judge: goal completion</h2>
      <p className="intro">{introOf(status)}</p>
      <FactList
        facts={[
          ...(score === null || passed === null
            ? []
            : ([
                ['Goal', <Goal key="goal" isMet={passed} />],
                [
                  'Score',
                  keepPercent(`${percent(score)}; ${percent(threshold)} or more counts as met`),
                ],
              ] as const)),
          ...(reason === null
            ? []
            : ([
                [
                  'Reason',
                  <span key="reason" className="foreign-text">
                    {reason}
                  </span>,
                ],
              ] as const)),
          ['Judged by', judgeModel],
        ]}
      />
    </section>
  );
}

function Goal({ isMet }: { isMet: boolean }) {
  return <b className={isMet ? 'tone-pass' : 'tone-hold'}>{isMet ? 'met' : 'not met'}</b>;
}

function introOf(status: NonNullable<JourneySession['goalScore']>['status']): string {
  if (status === 'pending') return 'The judge has been asked and has not answered yet.';
  if (status === 'failed') return 'It could not be judged; this says nothing about the server.';
  return 'What the judge thinks of the whole conversation. It advises and decides nothing.';
}
