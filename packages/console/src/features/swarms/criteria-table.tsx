/**
 * The results of a run's criteria, each with its number of sessions. Without graded sessions there
 * is no rate.
 */
import { criterionName, failRateWords } from '@proofmark/report';
import { keepPercent, RateBar } from '../evals/index.ts';
import type { RunScorecard } from './data/journey-runs.ts';
import { gradeWords } from './session-words.ts';

export function CriteriaTable({ card }: { card: RunScorecard }) {
  return (
    <section aria-labelledby="criteria">
      <h2 id="criteria">Criteria</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Criterion</th>
            <th scope="col">Outcome</th>
            <th scope="col">Sessions</th>
          </tr>
        </thead>
        <tbody>
          {card.criteria.map((criterion) => (
            <tr key={criterion.id}>
              <th scope="row">
                <bdi>{criterionName(criterion)}</bdi>
                {criterion.role === 'advisory' && <p className="hint">decides nothing</p>}
              </th>
              <td data-label="Outcome">
                <Outcome criterion={criterion} />
              </td>
              <td data-label="Sessions" className="figures">
                <span className={`rate of-failures ${criterion.role}`}>
                  {criterion.failRate !== null && criterion.interval !== null && (
                    <RateBar
                      rate={criterion.failRate}
                      lower={criterion.interval.lower}
                      upper={criterion.interval.upper}
                    />
                  )}
                  <span>{keepPercent(failRateWords(criterion, card.sessionsGraded))}</span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Outcome({ criterion }: { criterion: RunScorecard['criteria'][number] }) {
  if (criterion.failRate === null) return <b className="tone-none">not graded</b>;
  if (criterion.failCount === 0) return <b className="tone-pass">held</b>;
  const { word, tone } = gradeWords(false, criterion.role);
  return <b className={`tone-${tone}`}>{word}</b>;
}
