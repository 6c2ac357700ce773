import { insertAuditLine } from '../../../platform/accounts/store/audit-log.ts';
import { forgetVisits } from '../store/forget-visits.ts';
import { findSessionOfBrowser, inScenario } from './enter-visit.ts';
import type { VisitAction } from './visit-action.ts';

/**
 * Requires only the identity, like reading. A turn that is still running is then not stored,
 * because its session is gone.
 */
export const eraseVisitorSession: VisitAction<'eraseVisitorSession'> = (context, { params }) =>
  inScenario(context, params.scenarioId, async (sql) => {
    const session = await findSessionOfBrowser(sql, context, params);
    const { id, scenarioId, organizationId, projectId } = session;
    const [erased] = await forgetVisits(sql, scenarioId, [id]);
    // Another request has erased the session in the meantime and written the audit line.
    if (erased === undefined) return { sessionId: id, erased: true };
    await insertAuditLine(sql, {
      ...someVisitor,
      organizationId,
      projectId,
      subjectId: id,
      action: 'scenario.sessionDeleted',
      details: null,
    });
    return { sessionId: id, erased: true };
  });

/**
 * The actor in the audit log, also for visitors who are signed in. The log names the session, and
 * must not identify its visitor after the erasure.
 */
const someVisitor = { accountId: null, accountEmail: 'visitor', callerKind: 'visitor' } as const;
