/**
 * The calls of the trials a summary lists, with their arguments: page by page, as the summary itself was read, because
 * trials stand together only where all their calls are the same. Where they cannot be read, tools are named without
 * arguments, so nothing that goes wrong here is told.
 */
import type { DecisionSummary, TrialCalls } from '@proofmark/domain';
import type { Connection } from './connection.ts';

const pageLimit = 200;

export async function readCalls(
  { client, projectId }: Pick<Connection, 'client' | 'projectId'>,
  { runId, diagnostics }: DecisionSummary,
): Promise<ReadonlyMap<string, TrialCalls>> {
  const wanted = new Set(
    diagnostics.items
      .filter(({ expected, observed }) => (expected ?? observed?.toolNames) !== undefined)
      .map(({ iterationId }) => iterationId),
  );
  const calls = new Map<string, TrialCalls>();
  const place = { projectId, runId, limit: pageLimit };
  let cursor: string | undefined;
  try {
    while (calls.size < wanted.size) {
      const page = await client.listEvalRunIterations(
        cursor === undefined ? place : { ...place, cursor },
      );
      for (const { id, expectedToolCalls, actualToolCalls, hasTrace } of page.items) {
        if (wanted.has(id)) calls.set(id, { expectedToolCalls, actualToolCalls, hasTrace });
      }
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
  } catch {
    return calls;
  }
  return calls;
}
