import { type ChosenModel, chooseModel } from '@proofmark/domain';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import { refuse } from '../../../platform/operations/action.ts';

/**
 * Returns the model that the operator configured for a part of the service. The model uses the
 * operator's key, so it must be hosted.
 */
export function operatorModel(
  models: Pick<ModelGateway, 'offer'>,
  setting: string,
  model: string,
): ChosenModel {
  const chosen = chooseModel({ model }, models.offer, []);
  if (!('refusal' in chosen)) return chosen;
  const message = `The operator has set ${setting} to the model ${model}, but no provider of this installation offers it.`;
  return refuse({ code: 'FEATURE_NOT_SUPPORTED', message });
}
