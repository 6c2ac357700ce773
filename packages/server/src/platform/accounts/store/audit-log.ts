/**
 * The audit log. A line is written in the same transaction as the change it describes, so that
 * neither exists without the other. It names the changed object, but never contains values of the
 * object.
 */
import type { AuditAction, AuditCallerKind, AuditDetails } from '@proofmark/domain';
import type { Sql } from '../../database/database.ts';

/** The acting account, or a name for an actor without an account. */
export interface AuditActor {
  readonly accountId: string | null;
  readonly accountEmail: string;
  readonly callerKind: AuditCallerKind;
}

export interface AuditEntry extends AuditActor {
  /**
   * The organization of the line; null for a line of no organization, which only the operator sees.
   */
  readonly organizationId: string | null;
  readonly projectId: string | null;
  readonly action: AuditAction;
  readonly subjectId: string;
  readonly details: AuditDetails | null;
}

export interface AuditLine extends AuditEntry {
  readonly id: number;
  readonly at: Date;
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

export async function insertAccountLine(
  sql: Sql,
  accountId: string,
  actor: AuditActor,
  action: AuditAction,
  details: AuditDetails | null = null,
): Promise<void> {
  await sql`
    select audit_account(${accountId}, ${actor.accountId}, ${actor.accountEmail}, ${actor.callerKind},
      ${action}, ${details === null ? null : JSON.stringify(details)})`;
}

export interface AuditFilter {
  readonly organizationId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly kind?: string | undefined;
  /** The e-mail address of the acting account; case is ignored. */
  readonly actor?: string | undefined;
  readonly resource?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Returns only lines that are older than the line with this id. */
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/**
 * Returns lines, newest first. The operator's connection reads the lines of all organizations; the
 * service's connection reads only lines of its tenant.
 */
export async function listAuditLines(sql: Sql, filter: AuditFilter): Promise<AuditLine[]> {
  const { organizationId, projectId, kind, actor, resource, since, until, beforeId } = filter;
  const rows = await sql<(Omit<AuditLine, 'details'> & { details: string | null })[]>`
    select id::float8 as id, organization_id, project_id, at, account_id, account_email, caller_kind,
      action, subject_id, details
    from audit_log
    where true
      ${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
      ${projectId === undefined ? sql`` : sql`and project_id = ${projectId}`}
      ${kind === undefined ? sql`` : sql`and ${kind} in (action, split_part(action, '.', 1))`}
      ${actor === undefined ? sql`` : sql`and lower(account_email) = lower(${actor})`}
      ${resource === undefined ? sql`` : sql`and subject_id = ${resource}`}
      ${since === undefined ? sql`` : sql`and at >= ${since}`}
      ${until === undefined ? sql`` : sql`and at < ${until}`}
      ${beforeId === undefined ? sql`` : sql`and audit_log.id < ${beforeId}`}
    order by audit_log.id desc limit ${filter.limit}`;
  return rows.map((row) => ({
    ...row,
    details: row.details === null ? null : JSON.parse(row.details),
  }));
}

export async function isKnownActor(sql: Sql, email: string): Promise<boolean> {
  const [row] = await sql<{ is: boolean }[]>`
    select exists (select from accounts where lower(email) = lower(${email}))
      or exists (select from audit_log where lower(account_email) = lower(${email})) as is`;
  return row?.is ?? false;
}
