/**
 * Archives a persona unless a live journey references it. A journey that is being created at the
 * same time either locks the persona's row first or finds the persona archived.
 */

import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { findJourneysOfPersona } from '../store/journeys.ts';
import { markPersonaArchived } from '../store/personas.ts';
import { findPersona } from './find-persona.ts';

const mostNamed = 10;

export const deletePersona: Action<'deletePersona'> = async (context, { params }) => {
  const { id: projectId } = context.project;
  const { personaId: id } = params;
  await context.tenant(async (sql) => {
    await findPersona(sql, projectId, id, 'forNoKeyUpdate');
    const journeyIds = await findJourneysOfPersona(sql, id, mostNamed);
    if (journeyIds.length > 0) {
      refuse({
        code: 'CONFLICT',
        message: 'A journey uses this persona; archive the journey first.',
        details: { reason: 'PERSONA_IN_USE', journeyIds },
      });
    }
    await markPersonaArchived(sql, id);
    await recordAudit(sql, context, { action: 'persona.archived', subjectId: id });
  });
  return { id, projectId, deleted: true };
};
