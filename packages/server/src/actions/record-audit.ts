import {
  type AuditAction,
  type AuditDetails,
  insertAuditLine,
} from '../storage/accounts/audit-log.ts';
import type { Caller } from '../storage/accounts/callers.ts';
import type { Sql } from '../storage/database/database.ts';

/** Where it happened: a project, or the organization alone. The context of a project's action is one. */
interface AuditContext {
  readonly caller: Caller;
  readonly project: { readonly organizationId: string; readonly id: string | null };
}

/** `sql` is the transaction of the write itself. */
export async function recordAudit(
  sql: Sql,
  { caller, project }: AuditContext,
  entry: {
    readonly action: AuditAction;
    readonly subjectId: string;
    readonly details?: AuditDetails;
  },
): Promise<void> {
  await insertAuditLine(sql, {
    organizationId: project.organizationId,
    projectId: project.id,
    accountId: caller.account.id,
    accountEmail: caller.account.email,
    callerKind: caller.kind,
    action: entry.action,
    subjectId: entry.subjectId,
    details: entry.details ?? null,
  });
}
