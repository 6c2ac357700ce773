/**
 * Ends a reported run (executed elsewhere and uploaded) that no reporter finalized. The caller must
 * have locked the run's row. The stored trials are counted but decide nothing, because missing
 * trials may have failed.
 */
import { countTrials } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import type { StoredRun } from '../../store/eval-runs.ts';
import {
  countAlikeTrials,
  finishRun,
  numberTrials,
  scoreIntegrityOf,
} from '../../store/record-runs.ts';

const reasons = {
  cancelled: 'The run was cancelled before it was finalized.',
  failed: 'The run was never finalized: nothing was reported to it for too long.',
} as const;

export async function abandonReportedRun(
  sql: Sql,
  run: StoredRun,
  as: 'cancelled' | 'failed',
): Promise<void> {
  // Longer than the connection's default, because the statements that end a large run take long.
  await sql`set local statement_timeout = '50s'`;
  await numberTrials(sql, run.id);
  await finishRun(sql, run, {
    counts: countTrials(await countAlikeTrials(sql, run.id)),
    result: null,
    integrityError: reasons[as],
    status: as,
    scoreIntegrity: await scoreIntegrityOf(sql, run.id),
  });
}
