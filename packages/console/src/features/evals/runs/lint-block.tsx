import type { EvalRun } from '@proofmark/contract';
import { useOperation } from '../../../kit/data/operations.ts';
import { LintFindings } from '../../insights/index.ts';
import type { RunIds } from '../data/eval-runs.ts';
import { TryOverlay } from './try-buttons.tsx';

export function LintBlock({ ids, run }: { ids: RunIds; run: EvalRun }) {
  const { data: report } = useOperation('getEvalRunLint', ids);
  if (report === undefined || report.tokens.servers.length === 0) return null;
  return (
    <section aria-labelledby="lint">
      <h2 id="lint">Lint of its tools</h2>
      <p className="hint">
        Names, descriptions and schemas as models saw them, with the failing trials they may
        explain.
      </p>
      <LintFindings
        projectId={ids.projectId}
        report={report}
        tryButton={(overlay) => <TryOverlay ids={ids} run={run} overlay={overlay} />}
      />
    </section>
  );
}
