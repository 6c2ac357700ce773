/** A run with its decision summary, as far as people read: pages are joined until enough trials did not pass. */
import type { OutputOf } from '@proofmark/contract';
import { type DecisionSummary, joinSummaries } from '@proofmark/domain';
import type { Connection } from './connection.ts';

export interface ReadDecision {
  readonly run: OutputOf<'getEvalRun'>;
  readonly summary: DecisionSummary;
}

const pageLimit = 200;
const shownTrials = 50;

export async function readDecision(connection: Connection, runId: string): Promise<ReadDecision> {
  const { client, projectId } = connection;
  const place = { projectId, runId, limit: pageLimit };
  const [run, first] = await Promise.all([
    client.getEvalRun({ projectId, runId }),
    client.getEvalRunDecisionSummary(place),
  ]);
  const following: DecisionSummary[] = [];
  let summary = first;
  while (summary.diagnostics.items.length < shownTrials) {
    const cursor = summary.diagnostics.nextCursor;
    if (cursor === undefined) break;
    following.push(await client.getEvalRunDecisionSummary({ ...place, cursor }));
    summary = joinSummaries(first, following);
  }
  return { run, summary };
}
