import type { Action } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { storePersona } from '../store/personas.ts';
import { findPersona } from './find-persona.ts';
import { presentPersona } from './present-persona.ts';

export const updatePersona: Action<'updatePersona'> = (context, { params, body }) =>
  context.tenant(async (sql) => {
    const { personaId } = params;
    const current = await findPersona(sql, context.project.id, personaId, 'forNoKeyUpdate');
    const stored = await storePersona(sql, {
      ...current,
      name: body.name ?? current.name,
      role: body.role ?? current.role,
      notes: body.notes === undefined ? current.notes : body.notes || null,
      avatarShape: body.avatarShape ?? current.avatarShape,
      avatarPalette: body.avatarPalette ?? current.avatarPalette,
    });
    const details = { fields: Object.keys(body) };
    await recordAudit(sql, context, { action: 'persona.updated', subjectId: personaId, details });
    return presentPersona(stored);
  });
