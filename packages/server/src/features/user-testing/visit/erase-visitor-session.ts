import { insertAuditLine } from '../../../platform/accounts/store/audit-log.ts';
import { forgetVisits } from '../store/forget-visits.ts';
import { findSessionOfBrowser, inScenario } from './enter-visit.ts';
import type { VisitAction } from './visit-action.ts';

/**
 * Visitors can erase a session even if they no longer have access to the scenario. A turn that is
 * still running is not stored, because its session no longer exists.
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
 * The actor in the audit log for every visitor, even a signed-in one. The log contains the session
 * id, and must not reveal who the visitor of an erased session was.
 */
const someVisitor = { accountId: null, accountEmail: 'visitor', callerKind: 'visitor' } as const;
