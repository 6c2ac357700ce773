import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { forgetVisits } from '../store/forget-visits.ts';
import { findVisit } from '../store/read-visits.ts';
import { findScenarioToRead } from './find-scenario-to-read.ts';

export const deleteUserTestingSession: Action<'deleteUserTestingSession'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const { id: scenarioId } = await findScenarioToRead(sql, context, params.scenarioId);
    const visit = await findVisit(sql, scenarioId, params.sessionId);
    const [id] = visit === undefined ? [] : await forgetVisits(sql, scenarioId, [visit.id]);
    if (id === undefined) return refuse(notFound);
    await recordAudit(sql, context, { action: 'scenario.sessionDeleted', subjectId: id });
    return { id, deleted: true } as const;
  });
