/** Ends a reported run whose row is locked: numbers its trials, decides it and stores the decision. */
import { decideReportedRun } from '@proofmark/domain';
import type { Sql } from '../../storage/database.ts';
import { type EvalRun, findRun } from '../../storage/eval-runs.ts';
import {
  countAlikeTrials,
  finishRun,
  numberIterations,
  scoreIntegrityOf,
} from '../../storage/record-runs.ts';
import { sha256Hex } from './prepare-trials.ts';

export async function finishReportedRun(sql: Sql, run: EvalRun): Promise<EvalRun> {
  // A run may be large, and its end is one piece of work.
  await sql`set local statement_timeout = '50s'`;
  await numberIterations(sql, run.id);
  const trials = await countAlikeTrials(sql, run.id);
  const end = decideReportedRun(
    run.snapshot.terms,
    trials,
    run.expectedIterations,
    sha256Hex,
    run.snapshot.declared,
  );
  await finishRun(sql, run, { ...end, scoreIntegrity: await scoreIntegrityOf(sql, run.id) });
  const finished = await findRun(sql, run.projectId, run.id);
  if (finished === undefined) throw new Error('The run is gone in the moment it was decided.');
  return finished;
}
