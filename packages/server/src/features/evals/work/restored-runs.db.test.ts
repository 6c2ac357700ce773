/**
 * A run that was open during a backup continues after the restore, because its rows contain
 * everything it needs.
 */
import { join } from 'node:path';
import { holdSlice } from '@proofmark/harness/hold-slice.ts';
import { insertLaunchedRun } from '@proofmark/harness/launched-run.ts';
import { restoreBackup } from '@proofmark/harness/restore-backup.ts';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { createEmptyDatabase, createTestDatabase } from '@proofmark/harness/test-database.ts';
import { expect, test } from 'vitest';
import { createOperator } from '../../../main/operator.ts';
import { backupTo } from '../../../platform/backup/backup-to.ts';
import { connect } from '../../../platform/database/connect.ts';

test('an open run of a backup is claimed where it is restored, what was leased first', async () => {
  const [source, target] = [await createTestDatabase(), await createEmptyDatabase()];
  const directory = temporaryDirectory();
  try {
    const tenant = await createOperator(source.owner, '').bootstrap({
      email: 'owner@restored.example',
      organization: 'Restored',
    });
    const { runId } = await insertLaunchedRun(source, tenant, { cases: 3, repetitions: 1 });
    const held = await holdSlice(source, runId);
    await source.owner.sql`update leased_work set leased_until = now() where status = 'leased'`;
    const file = join(directory.path, 'backup');
    await backupTo(source.url, file);
    await restoreBackup(target.url, file);
    const { rows: claimed } = await connect(target.url, (client) =>
      client.query(`
        select group_id, number, lease from proofmark.claim_work('eval-trials', 9, 6, 5, null, 0, true)`),
    );
    expect(claimed.map((row) => row['group_id'])).toEqual([runId, runId, runId]);
    expect(claimed[0]?.['number']).toBe(held.number);
    // After a restore, no earlier lease number is used again.
    expect(Number(claimed[0]?.['lease'])).toBeGreaterThan(Number(held.lease));
  } finally {
    directory.remove();
    await source.drop();
    await target.drop();
  }
});
