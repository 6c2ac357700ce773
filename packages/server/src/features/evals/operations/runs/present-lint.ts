import type { OutputOf } from '@proofmark/contract';
import { type LintedServer, type LintHelp, lintSurface } from '@proofmark/domain';
import { rankForLint } from '../../../../outside/model/lexical/rank-for-lint.ts';
import { readTokens } from './read-tokens.ts';

const mostFindings = 500;

export async function presentLint(
  runId: string | null,
  servers: readonly LintedServer[],
  help: Omit<LintHelp, 'rankTools'>,
): Promise<OutputOf<'getEvalRunLint'>> {
  const findings = lintSurface(servers, { ...help, rankTools: rankForLint });
  return {
    runId,
    total: findings.length,
    findings: findings.slice(0, mostFindings).map(({ trials, toolNames, ...finding }) => ({
      ...finding,
      trials: [...trials],
      ...(toolNames && { toolNames: [...toolNames] }),
    })),
    tokens: await readTokens(servers),
  };
}
