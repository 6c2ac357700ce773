/**
 * A run with its decision summary: the verdict from the run itself, beneath it the trials that did not pass, and of those
 * as many as people read. Two requests, whatever the size of the run.
 */
import type { OutputOf } from '@proofmark/contract';
import { type DecisionSummary, summaryOfRun, type TrialCalls } from '@proofmark/domain';
import type { Connection } from './connection.ts';

export interface ReadDecision {
  readonly run: OutputOf<'getEvalRun'>;
  readonly summary: DecisionSummary;
  /** Whether these are all trials that did not pass. */
  readonly isAll: boolean;
  /** Of the trials that are listed, by their ids. */
  readonly calls: ReadonlyMap<string, TrialCalls>;
}

const readTrials = 200;

export async function readDecision(connection: Connection, runId: string): Promise<ReadDecision> {
  const { client, projectId } = connection;
  const [run, trials] = await Promise.all([
    client.getEvalRun({ projectId, runId }),
    client.listEvalRunIterations({ projectId, runId, limit: readTrials, result: 'notPassed' }),
  ]);
  const isAll = trials.nextCursor === undefined;
  return {
    run,
    summary: summaryOfRun(run, { items: trials.items, isAll }),
    isAll,
    calls: new Map(trials.items.map((trial) => [trial.id, trial])),
  };
}
