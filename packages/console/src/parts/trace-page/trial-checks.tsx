/** Every check of a trial and how it came out: of the whole case, which no step shows, and of the turns. */
import type { TrialCheck } from '@proofmark/domain';
import { Fragment } from 'react';

export function TrialChecks({ checks }: { checks: readonly TrialCheck[] }) {
  const isSaid = checks.some(({ said }) => said !== undefined);
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">Checks</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">Of</th>
            <th scope="col">Outcome</th>
            {isSaid && <th scope="col">What was said</th>}
          </tr>
        </thead>
        <tbody>
          {checks.map(({ name, turn, outcome, said, votes = [] }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: checks are known by their index.
            <tr key={index}>
              <th scope="row" className="code">
                <Name of={name} />
              </th>
              <td data-label="Of" className="unbroken">
                {turn === undefined ? 'the whole case' : `turn ${turn}`}
              </td>
              <td data-label="Outcome" className="unbroken">
                <b className={`tone-${tones[outcome]}`}>{outcome}</b>
              </td>
              {isSaid && (
                <td data-label="What was said" className="foreign-text">
                  {said ?? ''}
                  {votes.length > 0 && (
                    <ul className="in-cell">
                      {votes.map((vote) => (
                        <li key={vote}>{vote}</li>
                      ))}
                    </ul>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A criterion of a judge stands behind the assertion it belongs to, and may stand beneath it. */
function Name({ of: name }: { of: string }) {
  return name.split('/').map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never move.
    <Fragment key={index}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
}

const tones: Readonly<Record<TrialCheck['outcome'], string>> = {
  held: 'pass',
  'did not hold': 'fail',
  'advises only': 'hold',
  broke: 'none',
  'not asked': 'none',
};
