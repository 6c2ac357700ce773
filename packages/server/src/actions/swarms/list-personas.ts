import { readPersonas } from '../../storage/swarms/personas.ts';
import { type Action, presentPage } from '../action.ts';
import { listWhenOn } from '../list-when-on.ts';
import { presentPersona } from './present-persona.ts';

export const listPersonas: Action<'listPersonas'> = (context, { page }) =>
  listWhenOn(context, 'swarms', async () =>
    presentPage(
      await context.tenant((sql) => readPersonas(sql, context.project.id, page)),
      presentPersona,
    ),
  );
