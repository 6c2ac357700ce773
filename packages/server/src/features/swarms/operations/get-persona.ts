import type { Action } from '../../../platform/operations/action.ts';
import { findPersona } from './find-persona.ts';
import { presentPersona } from './present-persona.ts';

export const getPersona: Action<'getPersona'> = async (context, { params }) =>
  presentPersona(
    await context.tenant((sql) => findPersona(sql, context.project.id, params.personaId)),
  );
