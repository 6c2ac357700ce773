export type { ModelsParts, ModelsProject } from './models-context.ts';
export {
  askDrafter,
  type Drafted,
  refuseUncoveredDrafts,
  type ToDraft,
} from './operations/ask-drafter.ts';
export { modelFailureError } from './operations/model-failure-error.ts';
export { modelsOf } from './operations/models-of.ts';
export { operatorModel } from './operations/operator-model.ts';
export { withOperatorsModels } from './operations/with-operators-models.ts';
export type { PartModels } from './part-models.ts';
export { listProviders } from './store/model-providers.ts';
