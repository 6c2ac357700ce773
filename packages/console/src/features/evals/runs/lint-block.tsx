import type { EvalRun } from '@proofmark/contract';
import { useOperation } from '../../../kit/data/operations.ts';
import { PagePart } from '../../../kit/page-part.tsx';
import { LintFindings } from '../../insights/index.ts';
import type { RunIds } from '../data/eval-runs.ts';
import { TryOverlay } from './try-buttons.tsx';

export function LintBlock({ ids, run }: { ids: RunIds; run: EvalRun }) {
  const { data: report } = useOperation('getEvalRunLint', ids);
  if (report === undefined || report.tokens.servers.length === 0) return null;
  return (
    <PagePart id="lint" title="Lint of its tools">
      <p className="hint">
        Names, descriptions and schemas as models saw them, with the failing trials they may
        explain.
      </p>
      <LintFindings
        projectId={ids.projectId}
        report={report}
        tryButton={(overlay) => <TryOverlay ids={ids} run={run} overlay={overlay} />}
      />
    </PagePart>
  );
}
