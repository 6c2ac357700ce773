import { insertAuditLine } from '../../../platform/accounts/store/audit-log.ts';
import { forgetVisits } from '../store/forget-visits.ts';
import { findSessionOfBrowser, inScenario } from './enter-visit.ts';
import type { VisitAction } from './visit-action.ts';

/** Requires only the identity, like reading. A running turn then has no session to be stored in. */
export const eraseVisitorSession: VisitAction<'eraseVisitorSession'> = (context, { params }) =>
  inScenario(context, params.scenarioId, async (sql) => {
    const session = await findSessionOfBrowser(sql, context, params);
    const { id, scenarioId, organizationId, projectId } = session;
    const [erased] = await forgetVisits(sql, scenarioId, [id]);
    // If a concurrent request erased the session, the audit line belongs to that one.
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
 * Also used for visitors who are signed in: the log names the session, and outlives its visitor.
 */
const someVisitor = { accountId: null, accountEmail: 'visitor', callerKind: 'visitor' } as const;
