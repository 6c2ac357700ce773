import type { Operations } from '../../platform/operations/action.ts';
import type { ModelsParts } from './models-context.ts';
import { deleteModelProvider } from './operations/delete-model-provider.ts';
import { listModelProviders } from './operations/list-model-providers.ts';
import { listModels } from './operations/list-models.ts';
import { setModelProvider } from './operations/set-model-provider.ts';
import { testModelProvider } from './operations/test-model-provider.ts';

export const modelsOperations = {
  deleteModelProvider,
  listModelProviders,
  listModels,
  setModelProvider,
  testModelProvider,
} satisfies Operations<ModelsParts>;
