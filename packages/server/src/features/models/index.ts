/** What other features use of models. */
export type { ModelsParts, ModelsProject } from './models-context.ts';
export {
  type Drafted,
  draftByPart,
  refuseUncoveredDrafts,
  type ToDraft,
} from './operations/draft-by-part.ts';
export { hostedPart } from './operations/hosted-part.ts';
export { modelsOf } from './operations/models-of.ts';
export { orModelRefusal } from './operations/or-model-refusal.ts';
export { withOperatorsModels } from './operations/with-operators-models.ts';
export type { PartModels } from './part-models.ts';
export { listProviders } from './store/model-providers.ts';
