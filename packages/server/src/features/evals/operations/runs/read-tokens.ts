import type { OutputOf } from '@proofmark/contract';
import { type LintedServer, surfaceTokens } from '@proofmark/domain';
import { loadTokenCounter } from '../../../../outside/tokens/load-token-counter.ts';

type Shown = OutputOf<'getEvalRunLint'>['tokens'];

export async function readTokens(servers: readonly LintedServer[]): Promise<Shown> {
  const counted = surfaceTokens(servers, await loadTokenCounter());
  return {
    ...counted,
    servers: counted.servers.map((server) => ({ ...server, tools: [...server.tools] })),
  };
}
