/**
 * Waivers that let failing runs pass their gates. A revoked or expired waiver is kept as history.
 */
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';

export interface StoredWaiver {
  readonly id: string;
  readonly suiteId: string;
  readonly runId: string;
  readonly reason: string;
  readonly policySnapshot: { readonly minimumPassRate: number | null } | null;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly createdBy: string | null;
  readonly createdByEmail: string;
  readonly revokedAt: Date | null;
  readonly revokedBy: string | null;
  /**
   * When the row was read, by the clock of the database. Only this clock decides whether a waiver
   * is in force.
   */
  readonly readAt: Date;
}

export async function findWaiverInForce(
  sql: Sql,
  runId: string,
): Promise<StoredWaiver | undefined> {
  return (await findWaiversInForce(sql, [runId])).get(runId);
}

/** Returns the waivers in force by run id. Runs without one are absent from the map. */
export async function findWaiversInForce(
  sql: Sql,
  runIds: readonly string[],
): Promise<Map<string, StoredWaiver>> {
  if (runIds.length === 0) return new Map();
  const rows = await sql<WaiverRow[]>`
    select ${waiverColumns(sql)} from gate_waivers
    where run_id = any (${runIds as string[]}) and revoked_at is null and expires_at > statement_timestamp()`;
  return new Map(rows.map((row) => [row.runId, readWaiver(row)]));
}

export async function findWaiver(
  sql: Sql,
  runId: string,
  waiverId: string,
): Promise<StoredWaiver | undefined> {
  const [row] = await sql<WaiverRow[]>`
    select ${waiverColumns(sql)} from gate_waivers where id = ${waiverId} and run_id = ${runId}`;
  return row && readWaiver(row);
}

/** The caller must hold the run's lock, so that no other waiver can begin meanwhile. */
export async function insertWaiver(
  sql: Sql,
  organizationId: string,
  waiver: Omit<StoredWaiver, 'revokedAt' | 'revokedBy' | 'readAt'>,
): Promise<StoredWaiver> {
  const [row] = await sql<WaiverRow[]>`
    insert into gate_waivers ${sql({
      id: waiver.id,
      organization_id: organizationId,
      suite_id: waiver.suiteId,
      run_id: waiver.runId,
      reason: waiver.reason,
      policy_snapshot:
        waiver.policySnapshot === null ? null : JSON.stringify(waiver.policySnapshot),
      expires_at: waiver.expiresAt,
      created_at: waiver.createdAt,
      created_by: waiver.createdBy,
      created_by_email: waiver.createdByEmail,
    })} returning ${waiverColumns(sql)}`;
  return readWaiver(row as WaiverRow);
}

/**
 * Returns undefined if there is no waiver to revoke. A revoked waiver keeps its first revocation.
 */
export async function revokeWaiver(
  sql: Sql,
  runId: string,
  waiverId: string,
  accountId: string,
): Promise<StoredWaiver | undefined> {
  const [row] = await sql<WaiverRow[]>`
    update gate_waivers set revoked_at = statement_timestamp(), revoked_by = ${accountId}
    where id = ${waiverId} and run_id = ${runId} and revoked_at is null
    returning ${waiverColumns(sql)}`;
  return row && readWaiver(row);
}

type WaiverRow = Omit<StoredWaiver, 'policySnapshot'> & { readonly policySnapshot: string | null };

function readWaiver(row: WaiverRow): StoredWaiver {
  return {
    ...row,
    policySnapshot: readPolicy(row.policySnapshot),
  };
}

function readPolicy(text: string | null): StoredWaiver['policySnapshot'] {
  const minimumPassRate = readRecord(text)?.['minimumPassRate'];
  return minimumPassRate === null || typeof minimumPassRate === 'number'
    ? { minimumPassRate }
    : null;
}

function waiverColumns(sql: Sql): Fragment {
  return sql`id, suite_id, run_id, reason, policy_snapshot, expires_at, created_at, created_by,
    created_by_email, revoked_at, revoked_by, statement_timestamp() as read_at`;
}
