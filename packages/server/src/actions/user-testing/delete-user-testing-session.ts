import { notFound } from '@proofmark/domain';
import { forgetVisits } from '../../storage/user-testing/forget-visits.ts';
import { findVisit } from '../../storage/user-testing/read-visits.ts';
import { type Action, refuse } from '../action.ts';
import { recordAudit } from '../record-audit.ts';
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
