/** What both runs came to and cost, figure by figure, each with its unit. */
import type { RunComparison } from '../data/run-comparison.ts';
import { figureRows } from './compare-words.ts';

export function FiguresBeside({ compared }: { compared: RunComparison }) {
  const { baseRun, compareRun } = compared;
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">Figures</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">{`Run ${baseRun.runNumber}`}</th>
            <th scope="col">{`Run ${compareRun.runNumber}`}</th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {figureRows(compared).map(({ name, base, compare, difference }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td data-label={`Run ${baseRun.runNumber}`} className="figures">
                {base}
              </td>
              <td data-label={`Run ${compareRun.runNumber}`} className="figures">
                {compare}
              </td>
              <td data-label="Difference" className="figures">
                {difference ?? ''}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
