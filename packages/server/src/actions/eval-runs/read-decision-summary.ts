/**
 * One page of a run's decision summary. The run is read before its trials, though neither waits for the other: a run
 * that is seen to have ended gets no more trials, so a page that is called complete lacks none.
 */
import {
  composeDecisionSummary,
  type DecisionSummary,
  type PagePosition,
  type PageRequest,
} from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { asRunRecord } from '../../storage/eval-runs/eval-runs.ts';
import { readScannedTrials } from '../../storage/eval-runs/stored-trials.ts';
import { findRun } from './find-run.ts';
import { hasEnded } from './present-run.ts';

export async function readDecisionSummary(
  sql: Sql,
  { projectId, runId }: { readonly projectId: string; readonly runId: string },
  {
    page,
    cursorFor,
  }: { readonly page: PageRequest; readonly cursorFor: (position: PagePosition) => string },
): Promise<{ readonly summary: DecisionSummary; readonly revision: number }> {
  const [run, trials] = await Promise.all([
    findRun(sql, projectId, runId),
    readScannedTrials(sql, runId, page),
  ]);
  const summary = composeDecisionSummary({
    projectId: run.projectId,
    run: asRunRecord(run),
    trials: trials.items,
    page: {
      cursorGiven: page.after !== undefined,
      nextCursor: trials.next && cursorFor(trials.next),
      // A run of our own has a row for every trial from its start; reported ones arrive until it ends.
      allTrialsRecorded: run.source !== 'sdk' || hasEnded(run),
    },
  });
  return { summary, revision: run.revision };
}
