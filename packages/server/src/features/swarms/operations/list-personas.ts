import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { listWhenOn } from '../../../platform/operations/list-when-on.ts';
import { readPersonas } from '../store/personas.ts';
import { presentPersona } from './present-persona.ts';

export const listPersonas: Action<'listPersonas'> = (context, { page }) =>
  listWhenOn(context, 'swarms', async () =>
    presentPage(
      await context.tenant((sql) => readPersonas(sql, context.project.id, page)),
      presentPersona,
    ),
  );
