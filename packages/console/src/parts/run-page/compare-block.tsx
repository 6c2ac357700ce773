/** Where the run is put beside another of its suite. */
import type { EvalRun } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import type { RunIds } from '../../data/eval-runs.ts';
import { runBefore } from '../../data/run-comparison.ts';
import { ChooseBase } from '../compare-page/choose-base.tsx';

export function CompareBlock({ ids, run }: { ids: RunIds; run: EvalRun }) {
  return (
    <section aria-labelledby="compared">
      <h2 id="compared">Beside another run</h2>
      <p className="hint">
        Which cases moved, whether that is more than chance, and what servers offered otherwise.
      </p>
      <p>
        <Link
          to="/projects/$projectId/runs/$runId/compare/$baseRunId"
          params={{ ...ids, baseRunId: runBefore }}
        >
          Compare with the run before
        </Link>
      </p>
      <ChooseBase ids={ids} suiteId={run.suiteId} base={undefined} />
    </section>
  );
}
