/** Deletes expired sessions of visitors with all their data, once an hour. */
import { count, groupBy } from '@proofmark/domain';
import { insertAuditLine } from '../../../platform/accounts/store/audit-log.ts';
import type { Database } from '../../../platform/database/database.ts';
import { IndependentParts } from '../../../platform/work/independent-parts.ts';
import { forgetVisits, listOldVisits } from '../../user-testing/index.ts';
import { retentionJob } from './apply-retention.ts';

/**
 * `most` is the number of sessions in a batch. It is small: erasures run one after another, and a
 * visitor may be waiting for one.
 */
const bounds = { afterUnpublishingDays: 30, withoutMessageDays: 1, most: 25 };

export async function forgetOldVisits(database: Database, retentionDays: number): Promise<number> {
  const parts = new IndependentParts(database);
  const organizations = await database.sql<{ id: string }[]>`select id from organizations`;
  let forgotten = 0;
  for (const { id } of organizations) {
    // After a full batch there may be more sessions. Sessions that cannot be deleted make a batch
    // smaller, which ends the loop.
    for (;;) {
      const gone = (await parts.do(() => forgetSome(database, id, retentionDays))) ?? 0;
      forgotten += gone;
      if (gone < bounds.most) break;
    }
  }
  parts.throwFailures('Not all old sessions of visitors could be removed.');
  return forgotten;
}

async function forgetSome(
  database: Database,
  organizationId: string,
  retentionDays: number,
): Promise<number> {
  return database.tenant(
    [organizationId],
    async (sql) => {
      const old = await listOldVisits(sql, { ...bounds, retentionDays });
      let forgotten = 0;
      for (const [scenarioId, of] of groupBy(old, (one) => one.scenarioId)) {
        const ids = of.map(({ id }) => id);
        const removed = (await forgetVisits(sql, scenarioId, ids)).length;
        forgotten += removed;
        await insertAuditLine(sql, {
          ...retentionJob,
          organizationId,
          projectId: of[0]?.projectId ?? null,
          subjectId: scenarioId,
          action: 'scenario.sessionsForgotten',
          details: { removed: count(removed, 'session') },
        });
      }
      return forgotten;
    },
    'slow',
  );
}
