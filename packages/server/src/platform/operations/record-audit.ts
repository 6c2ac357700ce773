import type { AuditAction, AuditDetails } from '@proofmark/domain';
import { type AuditActor, insertAuditLine } from '../accounts/store/audit-log.ts';
import type { Caller } from '../accounts/store/callers.ts';
import type { Sql } from '../database/database.ts';

/**
 * The place of the action: a project, or only the organization. The context of a project's action
 * fits.
 */
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
