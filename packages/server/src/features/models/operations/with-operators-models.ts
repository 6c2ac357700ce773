import { isBuiltInModel } from '@proofmark/domain';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import type { ModelsProject } from '../models-context.ts';

import { modelsOf } from './models-of.ts';

/**
 * Calls `work` with the operator's providers in their current state, for a part of the service that
 * uses an operator's model. The organization's own providers do not replace them.
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
