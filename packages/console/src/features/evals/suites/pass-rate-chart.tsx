/**
 * A chart of the pass rate of each run, with its interval. The text below the chart contains the
 * same numbers.
 */
import type { EvalSuiteHistory } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import { chartPoints, rateSentence } from './history-words.ts';

const [width, height] = [360, 96];

export function PassRateChart(props: { projectId: string; runs: EvalSuiteHistory['runs'] }) {
  const { projectId, runs } = props;
  const newest = runs.at(-1);
  if (newest === undefined) return null;
  const points = chartPoints(runs, width, height);
  return (
    <section aria-labelledby="pass-rate" className="pass-rate">
      <h2 id="pass-rate">Pass rate</h2>
      <p>{rateSentence(newest)}</p>
      {runs.length > 1 && (
        <div className="rate-chart">
          <span className="hint rate-scale" aria-hidden="true">
            <span>100 %</span>
            <span>0 %</span>
          </span>
          <svg
            viewBox={`0 -4 ${width} ${height + 8}`}
            role="img"
            aria-label={`Share of trials that passed in the last ${runs.length} runs, oldest first`}
          >
            {[0, height / 2, height].map((y) => (
              <line key={y} className="rate-line" x1="0" x2={width} y1={y} y2={y} />
            ))}
            <polyline
              className="rate-trend"
              points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
            />
            {points.map(({ runId, x, y, top, bottom }) => (
              <g key={runId}>
                <path
                  className="rate-range"
                  d={`M${x - 3} ${top}h6M${x} ${top}V${bottom}M${x - 3} ${bottom}h6`}
                />
                <circle className="rate-point" cx={x} cy={y} r="3.5" />
              </g>
            ))}
          </svg>
        </div>
      )}
      <details>
        <summary>
          {runs.length === 1 ? 'The run' : `The last ${runs.length} runs as numbers`}
        </summary>
        <ol className="plain-list">
          {runs.map((run) => (
            <li key={run.runId}>
              <Link to="/projects/$projectId/runs/$runId" params={{ projectId, runId: run.runId }}>
                {rateSentence(run)}
              </Link>
            </li>
          ))}
        </ol>
      </details>
    </section>
  );
}
