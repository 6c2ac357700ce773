/**
 * A run with its decision summary: the verdict from the run itself, beneath it the trials that did not pass, and of those
 * as many as people read: two requests, whatever the size of the run. A program cannot go on where a summary ends, so it
 * gets all of them, up to a bound.
 */
import { readPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { type DecisionSummary, summaryOfRun, type TrialCalls } from '@proofmark/domain';
import type { Connection } from './connection.ts';

export interface FetchedDecision {
  readonly run: OutputOf<'getEvalRun'>;
  readonly summary: DecisionSummary;
  /** Whether these are all trials that did not pass. */
  readonly isAll: boolean;
  /** Of the trials that are listed, by their ids. */
  readonly calls: ReadonlyMap<string, TrialCalls>;
}

const trialsOfPage = 200;
const mostPages = 50;

export async function fetchDecision(
  connection: Connection,
  runId: string,
  wanted: 'first' | 'all' = 'first',
): Promise<FetchedDecision> {
  const { client, projectId } = connection;
  const [run, { items, isAll }] = await Promise.all([
    client.getEvalRun({ projectId, runId }),
    readNotPassed(connection, runId, wanted === 'all' ? mostPages : 1),
  ]);
  return {
    run,
    summary: summaryOfRun(run, { items, isAll }),
    isAll,
    calls: new Map(items.map((trial) => [trial.id, trial])),
  };
}

function readNotPassed({ client, projectId }: Connection, runId: string, pages: number) {
  const query = { projectId, runId, limit: trialsOfPage, result: 'notPassed' } as const;
  return readPages((page) => client.listEvalRunIterations({ ...query, ...page }), pages);
}
