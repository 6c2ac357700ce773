import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { listIfFeatureOn } from '../../../platform/operations/list-if-feature-on.ts';
import { readPersonas } from '../store/personas.ts';
import { presentPersona } from './present-persona.ts';

export const listPersonas: Action<'listPersonas'> = (context, { page }) =>
  listIfFeatureOn(context, 'swarms', async () =>
    presentPage(
      await context.tenant((sql) => readPersonas(sql, context.project.id, page)),
      presentPersona,
    ),
  );
