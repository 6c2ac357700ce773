/** Accepts an uploaded file if the quotas of its organization have room for it. */
import type { Quotas } from '@proofmark/domain';
import type { Database } from '../../../../platform/database/database.ts';
import {
  enterQuota,
  isBounded,
  type QuotaHolder,
} from '../../../../platform/spending/enter-quota.ts';
import { type ArtifactIds, compressContent, keepContent } from '../../store/reported/artifacts.ts';

/** Checks the quotas before the file is transferred. */
export async function refuseUpload(
  database: Database,
  quotas: Quotas,
  holder: QuotaHolder,
  bytes: number,
): Promise<void> {
  if (!isBounded(holder, quotas)) return;
  await database.tenant([holder.organizationId], (sql) =>
    enterQuota(sql, holder, quotas, 'uploadBytesPerDay', bytes),
  );
}

export async function keepUpload(
  database: Database,
  quotas: Quotas,
  ids: ArtifactIds & QuotaHolder,
  content: Buffer,
): Promise<'kept' | 'notOpen'> {
  const compressed = await compressContent(content);
  return database.tenant([ids.organizationId], async (sql) => {
    const quota = await enterQuota(sql, ids, quotas, 'uploadBytesPerDay', content.length);
    const kept = await keepContent(sql, ids, compressed);
    if (kept === 'kept') await quota.count();
    return kept;
  });
}
