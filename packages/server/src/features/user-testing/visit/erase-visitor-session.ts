import { insertAuditLine } from '../../../platform/accounts/store/audit-log.ts';
import { forgetVisits } from '../store/forget-visits.ts';
import { findSessionOfBrowser, inScenario } from './enter-visit.ts';
import type { VisitAction } from './visit-action.ts';

/** By who they are alone, as reading. A turn that goes on finds nothing to be stored in. */
export const eraseVisitorSession: VisitAction<'eraseVisitorSession'> = (context, { params }) =>
  inScenario(context, params.scenarioId, async (sql) => {
    const session = await findSessionOfBrowser(sql, context, params);
    const { id, scenarioId, organizationId, projectId } = session;
    const [erased] = await forgetVisits(sql, scenarioId, [id]);
    // Erased by somebody else in the same moment, it is in their line.
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

/** Also of somebody who is signed in: the log names the session, and outlives who had it. */
const someVisitor = { accountId: null, accountEmail: 'visitor', callerKind: 'visitor' } as const;
