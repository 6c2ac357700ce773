/**
 * Ranks tools for a request as the built-in model does. The lint uses this to find tools that a
 * model could confuse.
 */
import type { Json, RankForRequest } from '@proofmark/domain';
import { indexTools, rankTools } from './rank-tools.ts';

export function rankForLint(tools: readonly Json[]): RankForRequest {
  const listed = tools.map((tool) => ({
    name: String(tool['name']),
    ...(typeof tool['description'] === 'string' && { description: tool['description'] }),
    inputSchema: tool['inputSchema'],
  }));
  const positions = new Map(listed.map((tool, index) => [tool, index] as const));
  const index = indexTools(listed as never);
  return (request) =>
    rankTools(index, request).map(({ tool, score }) => ({
      index: positions.get(tool as (typeof listed)[number]) ?? -1,
      score,
    }));
}
