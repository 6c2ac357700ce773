import type { OutputOf } from '@proofmark/contract';
import { cutPage } from '@proofmark/domain';
import { type AuditLine, listAuditLines } from '../../../platform/accounts/store/audit-log.ts';
import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { namesOfSubjects } from '../store/names-of-subjects.ts';
import { asAdmin } from './enter-as-admin.ts';

export const listAuditLog: Action<'listAuditLog'> = (context, { params, query, page }) =>
  asAdmin(context, params.organizationId, async (sql) => {
    const { kind, actor, resource, since, until } = query;
    const lines = await listAuditLines(sql, {
      organizationId: params.organizationId,
      kind,
      actor,
      resource,
      since: instant(since),
      until: instant(until),
      beforeId: page.after?.order,
      limit: page.limit + 1,
    });
    const cut = cutPage(lines, page.limit, ({ id }) => ({ order: id, id: String(id) }));
    const ids = cut.items.flatMap(({ subjectId, projectId }) =>
      projectId === null ? [subjectId] : [subjectId, projectId],
    );
    const names = await namesOfSubjects(sql, params.organizationId, ids);
    return presentPage(cut, (line) => present(line, names));
  });

function present(
  line: AuditLine,
  names: ReadonlyMap<string, string>,
): OutputOf<'listAuditLog'>['items'][number] {
  const { id, at, action, subjectId, callerKind, projectId } = line;
  const details = line.details && { ...line.details, fields: line.details.fields?.slice() };
  const actor = { actor: line.accountEmail, actorId: line.accountId, callerKind };
  const subjectName = names.get(subjectId);
  const projectName = projectId === null ? undefined : names.get(projectId);
  return {
    id,
    at: at.getTime(),
    action,
    subjectId,
    ...(subjectName !== undefined && { subjectName }),
    ...actor,
    projectId,
    ...(projectName !== undefined && { projectName }),
    details,
  };
}

function instant(ms: number | undefined): Date | undefined {
  return ms === undefined ? undefined : new Date(ms);
}
