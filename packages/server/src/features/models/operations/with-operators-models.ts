import { isBuiltInModel } from '@proofmark/domain';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import type { ModelsProject } from '../models-context.ts';

import { modelsOf } from './models-of.ts';

/**
 * Runs work for a part of the service that calls a model of the operator, with the operator's
 * providers as they are in the database now. Providers of the organization do not replace them.
 */
export async function withOperatorsModels<Result>(
  context: ModelsProject,
  model: string,
  work: (models: ModelGateway) => Promise<Result>,
): Promise<Result> {
  const { models } = context;
  if (isBuiltInModel(model)) return work(models);
  const { models: known } = await context.tenant((sql) => modelsOf(sql, context, null));
  try {
    return await work(known);
  } finally {
    if (known !== models) await known.close();
  }
}
