import type { OutputOf } from '@proofmark/contract';
import { type FailingTrial, type LintedServer, lintSurface } from '@proofmark/domain';
import { readTokens } from './read-tokens.ts';

const mostFindings = 500;

export async function presentLint(
  runId: string | null,
  servers: readonly LintedServer[],
  failing: readonly FailingTrial[],
): Promise<OutputOf<'getEvalRunLint'>> {
  const findings = lintSurface(servers, failing);
  return {
    runId,
    total: findings.length,
    findings: findings
      .slice(0, mostFindings)
      .map(({ trials, ...finding }) => ({ ...finding, trials: [...trials] })),
    tokens: await readTokens(servers),
  };
}
