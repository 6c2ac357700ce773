/**
 * Ends a reported run, whose row is locked, that was not finalized. Its trials stay and are counted, and nothing is
 * decided by them: nobody said that they are all of them, and what is missing may be what failed.
 */
import type { Sql } from '../../storage/database.ts';
import type { EvalRun } from '../../storage/eval-runs.ts';
import {
  countAlikeTrials,
  finishRun,
  numberIterations,
  scoreIntegrityOf,
} from '../../storage/record-runs.ts';

const reasons = {
  cancelled: 'The run was cancelled before it was finalized.',
  failed: 'The run was never finalized: nothing was reported to it for too long.',
} as const;

export async function abandonReportedRun(
  sql: Sql,
  run: EvalRun,
  as: 'cancelled' | 'failed',
): Promise<void> {
  // A run may be large, and its end is one piece of work.
  await sql`set local statement_timeout = '50s'`;
  await numberIterations(sql, run.id);
  const trials = await countAlikeTrials(sql, run.id);
  const counted = (result?: 'passed' | 'failed') =>
    trials.reduce(
      (sum, trial) => sum + (result === undefined || trial.result === result ? trial.count : 0),
      0,
    );
  await finishRun(sql, run, {
    counts: { total: counted(), passed: counted('passed'), failed: counted('failed') },
    result: null,
    integrityError: reasons[as],
    status: as,
    scoreIntegrity: await scoreIntegrityOf(sql, run.id),
  });
}
