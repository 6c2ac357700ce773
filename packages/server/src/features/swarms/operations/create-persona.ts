import { personaSlug, plainSlug, tooManyPersonas } from '@proofmark/domain';
import { type Action, refuseIf } from '../../../platform/operations/action.ts';
import { makeOnce } from '../../../platform/operations/keyed-answers.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import type { EvalsParts } from '../../evals/index.ts';
import { findTakenSlugs, holdPersonasOfProject, insertPersona } from '../store/personas.ts';
import { presentPersona } from './present-persona.ts';

export const createPersona: Action<'createPersona', EvalsParts> = (
  context,
  { body, idempotencyKey: key },
) => {
  const { organizationId, id: projectId } = context.project;
  return makeOnce(context, { operation: 'createPersona', key, body }, async (sql) => {
    const { live } = await holdPersonasOfProject(sql, projectId);
    refuseIf(tooManyPersonas(live, context.spending.limits.maxPersonasPerProject));
    const taken = await findTakenSlugs(sql, projectId, plainSlug(body.name));
    const stored = await insertPersona(
      sql,
      { organizationId, projectId },
      {
        id: context.newId('persona'),
        slug: personaSlug(body.name, taken),
        name: body.name,
        role: body.role,
        notes: body.notes || null,
        source: 'manual',
        seedKeywords: null,
        avatarShape: body.avatarShape ?? null,
        avatarPalette: body.avatarPalette ?? null,
      },
    );
    const details = { fields: Object.keys(body) };
    await recordAudit(sql, context, { action: 'persona.created', subjectId: stored.id, details });
    return presentPersona(stored);
  });
};
