/**
 * An artifact is an uploaded report file. Its row is created together with the upload URL, and the
 * upload fills the row once. A file that is never uploaded, or never used in a report, is deleted
 * when it expires.
 */
import { promisify } from 'node:util';
import { constants, gunzip, gzip, type ZlibOptions } from 'node:zlib';
import type { ReportFormat } from '@proofmark/domain';
import type { Database, Sql } from '../../../../platform/database/database.ts';
import { inEveryOrganization } from '../../../../platform/database/in-every-organization.ts';

const uploadWithinMinutes = 15;
const keptHours = 24;

export interface ArtifactIds {
  readonly organizationId: string;
  readonly projectId: string;
  readonly artifactId: string;
}

export async function insertArtifact(
  sql: Sql,
  ids: ArtifactIds,
  artifact: {
    readonly format: ReportFormat | null;
    readonly contentType: string | null;
    readonly sizeBytes: number | null;
    readonly createdBy: string;
  },
): Promise<{ expiresAt: Date }> {
  const [row] = await sql<{ expiresAt: Date }[]>`
    insert into artifacts
      (id, organization_id, project_id, format, content_type, size_bytes, created_by, expires_at)
    values (${ids.artifactId}, ${ids.organizationId}, ${ids.projectId}, ${artifact.format},
      ${artifact.contentType}, ${artifact.sizeBytes}, ${artifact.createdBy},
      now() + ${`${uploadWithinMinutes} minutes`}::interval)
    returning expires_at`;
  return row as { expiresAt: Date };
}

export interface Upload {
  readonly state: 'open' | 'used' | 'expired';
  /** The size that the file must have, in bytes; null if none was stated. */
  readonly sizeBytes: number | null;
  readonly hasQuotas: boolean;
}

export async function findUpload(
  database: Database,
  { organizationId, projectId, artifactId }: ArtifactIds,
): Promise<Upload | undefined> {
  const [row] = await database.tenant(
    [organizationId],
    (sql) => sql<Upload[]>`
      select size_bytes, case when uploaded_at is not null then 'used'
        when expires_at <= now() then 'expired' else 'open' end as state,
        exists (select from organization_quotas where organization_id = ${organizationId}) as has_quotas
      from artifacts where id = ${artifactId} and project_id = ${projectId}`,
  );
  return row;
}

export function compressContent(content: Buffer): Promise<Buffer> {
  return compress(content, { level: constants.Z_BEST_SPEED, chunkSize });
}

/**
 * Stores the content. Only the first of two concurrent uploads finds the row empty, so the second
 * changes nothing.
 */
export async function keepContent(
  sql: Sql,
  { projectId, artifactId }: ArtifactIds,
  compressed: Buffer,
): Promise<'kept' | 'notOpen'> {
  const filled = await sql`
    update artifacts set content = ${compressed}, uploaded_at = now(),
      expires_at = now() + ${`${keptHours} hours`}::interval
    where id = ${artifactId} and project_id = ${projectId}
      and uploaded_at is null and expires_at > now()`;
  return filled.count === 1 ? 'kept' : 'notOpen';
}

export interface Artifact {
  readonly format: ReportFormat | null;
  /** The compressed content; null before the upload. */
  readonly content: Buffer | null;
}

export async function findArtifact(
  sql: Sql,
  projectId: string,
  artifactId: string,
): Promise<Artifact | undefined> {
  const [row] = await sql<Artifact[]>`
    select format, content from artifacts
    where id = ${artifactId} and project_id = ${projectId} and expires_at > now()`;
  return row;
}

export function openContent(content: Buffer): Promise<Buffer> {
  return decompress(content, { chunkSize });
}

/**
 * Marks the file as used by the run that references it. Runs in the caller's transaction, so that a
 * failed report does not use up the file.
 */
export async function consumeArtifact(
  sql: Sql,
  artifactId: string,
  runId: string,
): Promise<'consumed' | 'gone'> {
  const gone = await sql`delete from artifacts where id = ${artifactId}`;
  await sql`update eval_runs set artifact_id = ${artifactId} where id = ${runId}`;
  return gone.count === 1 ? 'consumed' : 'gone';
}

export function deleteExpiredArtifacts(database: Database): Promise<number> {
  return inEveryOrganization(
    database,
    (sql) => sql`delete from artifacts where expires_at <= now()`,
  );
}

/**
 * The size of a compression chunk in bytes. It is large, because each chunk is a round trip to
 * another thread.
 */
const chunkSize = 1024 * 1024;
const compress = promisify<Buffer, ZlibOptions, Buffer>(gzip);
const decompress = promisify<Buffer, ZlibOptions, Buffer>(gunzip);
