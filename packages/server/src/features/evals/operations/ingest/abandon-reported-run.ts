/**
 * Ends a reported run that no reporter finalized. The caller must have locked its row. The trials
 * stay and are counted but decide nothing, because trials may be missing, and the missing ones may
 * have failed.
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
  // Ending a large run takes a long time, because it happens in one transaction.
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
