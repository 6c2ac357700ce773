/** Takes an uploaded file where the quotas of its organization have room for it. */
import type { Quotas } from '@proofmark/domain';
import type { Database } from '../../storage/database/database.ts';
import {
  type ArtifactIds,
  compressContent,
  keepContent,
} from '../../storage/eval-ingest/artifacts.ts';
import { enterQuota } from '../quotas/enter-quota.ts';

/** Before the file travels. */
export async function refuseUpload(
  database: Database,
  quotas: Quotas,
  { organizationId }: ArtifactIds,
  bytes: number,
): Promise<void> {
  await database.tenant([organizationId], (sql) =>
    enterQuota(sql, organizationId, quotas, 'uploadBytesPerDay', bytes),
  );
}

export async function keepUpload(
  database: Database,
  quotas: Quotas,
  ids: ArtifactIds,
  content: Buffer,
): Promise<'kept' | 'notOpen'> {
  const { organizationId } = ids;
  const compressed = await compressContent(content);
  return database.tenant([organizationId], async (sql) => {
    const quota = await enterQuota(
      ...([sql, organizationId, quotas, 'uploadBytesPerDay', content.length] as const),
    );
    const kept = await keepContent(sql, ids, compressed);
    if (kept === 'kept') await quota.count();
    return kept;
  });
}
