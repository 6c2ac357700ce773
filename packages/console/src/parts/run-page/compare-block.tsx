/** The run beside the last completed one before it, read when somebody asks: what changed, and whether it is noise. */
import { comparedCaseSentence, count, isUnchanged } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type RunIds, useRunComparison } from '../../data/eval-runs.ts';
import { QueryView } from '../query-view.tsx';

export function CompareBlock({ ids }: { ids: RunIds }) {
  const [isWanted, setWanted] = useState(false);
  const comparison = useRunComparison(ids, isWanted);
  return (
    <section aria-labelledby="compared">
      <h2 id="compared">Beside the run before</h2>
      {!isWanted && (
        <button type="button" onClick={() => setWanted(true)}>
          Compare with the run before
        </button>
      )}
      {isWanted && (
        <QueryView query={comparison}>
          {(compared) =>
            compared === 'none' ? (
              <p>The suite has no completed run before this one.</p>
            ) : (
              <Compared projectId={ids.projectId} compared={compared} />
            )
          }
        </QueryView>
      )}
    </section>
  );
}

type Comparison = Exclude<NonNullable<ReturnType<typeof useRunComparison>['data']>, 'none'>;

function Compared(props: { projectId: string; compared: Comparison }) {
  const { projectId, compared } = props;
  const { baseRun, cases } = compared;
  // A case may keep its verdict and still pass far more or far less often.
  const changed = cases.filter(
    ({ status, significance }) => !isUnchanged(status) || significance === 'outside_noise',
  );
  return (
    <>
      <p>
        {changed.length === 0
          ? 'Every case came out as in '
          : `${changed.length} of ${count(cases.length, 'case')} did not come out as in `}
        <Link
          to="/projects/$projectId/runs/$runId"
          params={{ projectId, runId: baseRun.id }}
        >{`run ${baseRun.runNumber}`}</Link>
        .
      </p>
      {changed.length > 0 && (
        <ul className="compared-cases">
          {changed.map((row) => (
            <li key={row.caseKey}>
              <b className="foreign-text">{row.title}</b> {comparedCaseSentence(row)}.
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
