/**
 * Ends a reported run (executed elsewhere and uploaded): numbers its trials, decides the run and
 * stores the decision. The caller must have locked the run's row.
 */
import { type AlikeTrials, countTrials, decideReportedRun, type RunEnd } from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import { readRun, type StoredRun } from '../../store/eval-runs.ts';
import {
  countAlikeTrials,
  finishRun,
  numberTrials,
  scoreIntegrityOf,
} from '../../store/record-runs.ts';

export async function finishReportedRun(sql: Sql, run: StoredRun): Promise<StoredRun> {
  // Longer than the connection's default, because the statements that end a large run take long.
  await sql`set local statement_timeout = '50s'`;
  await numberTrials(sql, run.id);
  const trials = await countAlikeTrials(sql, run.id);
  const end = decide(run, trials);
  await finishRun(sql, run, { ...end, scoreIntegrity: await scoreIntegrityOf(sql, run.id) });
  const finished = await readRun(sql, run.projectId, run.id);
  if (finished === undefined)
    throw new Error('Internal fault: the run was decided but could not be read back.');
  return finished;
}

function decide(
  { snapshot, expectedIterations }: StoredRun,
  trials: readonly AlikeTrials[],
): RunEnd {
  const { terms, declared } = snapshot;
  if (terms === undefined) {
    const integrityError = 'The stored rules that decide this run cannot be read.';
    return { counts: countTrials(trials), result: null, integrityError };
  }
  return decideReportedRun(terms, trials, expectedIterations, sha256Hex, declared);
}
