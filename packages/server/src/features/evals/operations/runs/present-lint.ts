import type { OutputOf } from '@proofmark/contract';
import type { LintFinding } from '@proofmark/domain';

const mostFindings = 500;

export function presentLint(
  runId: string | null,
  findings: readonly LintFinding[],
): OutputOf<'getEvalRunLint'> {
  return {
    runId,
    total: findings.length,
    findings: findings
      .slice(0, mostFindings)
      .map(({ trials, ...finding }) => ({ ...finding, trials: [...trials] })),
  };
}
