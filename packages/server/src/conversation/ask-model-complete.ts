/** Calls a judge or a simulated user. A truncated answer counts as no answer. */
import type { ChosenModel } from '@proofmark/domain';
import { ModelFailure } from '../outside/model/model-failure.ts';
import type { ModelGateway, ModelReply } from '../outside/model/model-gateway.ts';
import { incompleteAnswer } from './incomplete-answer.ts';

/** Rejects a truncated answer as a failure of its provider, as for a model under test. */
export async function askModelComplete(
  models: Pick<ModelGateway, 'generate'>,
  model: ChosenModel,
  ...asked: ParametersAfterModel
): Promise<ModelReply> {
  const reply = await models.generate(model, ...asked);
  const cut = incompleteAnswer(reply, model.provider);
  if (cut !== undefined) throw new ModelFailure('PROVIDER_ERROR', cut, reply.attempts);
  return reply;
}

type ParametersAfterModel =
  Parameters<ModelGateway['generate']> extends [unknown, ...infer Others] ? Others : never;
