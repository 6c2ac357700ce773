/**
 * Who did what. A line is written in the transaction of the write it speaks of, so that one is never
 * there without the other. It names what was touched and never holds what was put there.
 */
import type { Database, Sql } from '../database/database.ts';

export type AuditAction =
  | 'apiKey.created'
  | 'apiKey.revoked'
  | 'client.created'
  | 'client.deleted'
  | 'client.duplicated'
  | 'client.serversReplaced'
  | 'client.updated'
  | 'environment.archived'
  | 'environment.created'
  | 'environment.restored'
  | 'environment.updated'
  | 'evalCase.created'
  | 'evalCase.deleted'
  | 'evalCase.updated'
  | 'evalSuite.casesAdded'
  | 'evalSuite.created'
  | 'evalSuite.deleted'
  | 'evalSuite.imported'
  | 'evalSuite.scheduled'
  | 'evalSuite.updated'
  | 'gateWaiver.created'
  | 'gateWaiver.revoked'
  | 'installation.restored'
  | 'plugin.created'
  | 'plugin.deleted'
  | 'plugin.versionActivated'
  | 'plugin.versionCreated'
  | 'project.created'
  | 'project.deleted'
  | 'project.updated'
  | 'server.created'
  | 'server.deleted'
  | 'server.tokensImported'
  | 'server.updated'
  | 'serverAttachment.created'
  | 'serverAttachment.deleted'
  | 'skill.created'
  | 'skill.deleted'
  | 'skill.versionCreated';

/** Names of the fields that were sent, and ids of what else is concerned; no values. */
export interface AuditDetails {
  readonly fields?: readonly string[];
  readonly runId?: string;
  readonly suiteId?: string;
  /** What a copy was made from. */
  readonly sourceId?: string;
}

export interface AuditEntry {
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly accountId: string;
  readonly accountEmail: string;
  readonly callerKind: 'key' | 'session';
  readonly action: AuditAction;
  readonly subjectId: string;
  readonly details: AuditDetails | null;
}

export interface AuditLine extends Omit<AuditEntry, 'accountId' | 'callerKind'> {
  readonly at: Date;
  /** The operator at the host's own terminal has no account. */
  readonly callerKind: AuditEntry['callerKind'] | 'operator';
  readonly accountId: string | null;
}

export async function insertAuditLine(sql: Sql, entry: AuditEntry): Promise<void> {
  await sql`
    insert into audit_log ${sql({
      organization_id: entry.organizationId,
      project_id: entry.projectId,
      account_id: entry.accountId,
      account_email: entry.accountEmail,
      caller_kind: entry.callerKind,
      action: entry.action,
      subject_id: entry.subjectId,
      details: entry.details === null ? null : JSON.stringify(entry.details),
    })}`;
}

export interface AuditFilter {
  readonly organizationId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly limit: number;
}

/** Newest first. For the operator, who sees the lines of all organizations. */
export async function listAuditLines(
  { sql }: Database,
  { organizationId, projectId, limit }: AuditFilter,
): Promise<AuditLine[]> {
  const rows = await sql<(Omit<AuditLine, 'details'> & { details: string | null })[]>`
    select organization_id, project_id, at, account_id, account_email, caller_kind, action,
      subject_id, details
    from audit_log
    where true
      ${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
      ${projectId === undefined ? sql`` : sql`and project_id = ${projectId}`}
    order by id desc limit ${limit}`;
  return rows.map((row) => ({
    ...row,
    details: row.details === null ? null : JSON.parse(row.details),
  }));
}
