import type { AuditAction, AuditDetails } from '@proofmark/domain';
import { type AuditActor, insertAuditLine } from '../accounts/store/audit-log.ts';
import type { Caller } from '../accounts/store/callers.ts';
import type { Sql } from '../database/database.ts';

/**
 * The acting caller, and the project that the line is about; its id is null if the line is about
 * the organization. The context of an action in a project can be passed as it is.
 */
interface AuditContext {
  readonly caller: Caller;
  readonly project: { readonly organizationId: string; readonly id: string | null };
}

/** Writes an audit line. `sql` must be the transaction of the change that the line describes. */
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
    ...actorOf(caller),
    organizationId: project.organizationId,
    projectId: project.id,
    action: entry.action,
    subjectId: entry.subjectId,
    details: entry.details ?? null,
  });
}

export function actorOf({ account, kind }: Caller): AuditActor {
  return { accountId: account.id, accountEmail: account.email, callerKind: kind };
}
