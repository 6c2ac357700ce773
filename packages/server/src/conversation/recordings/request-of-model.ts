import type { ChosenModel, WholeRequest } from '@proofmark/domain';
import type { ModelRequest } from '../../outside/model/model-gateway.ts';

export function requestOfModel(model: ChosenModel, request: ModelRequest): WholeRequest {
  const { system, tools, messages, ...parameters } = request;
  const stated = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return {
    model: model.hosted ? model.id : `${model.provider}/${model.name}`,
    parameters: Object.fromEntries(stated),
    ...(system !== undefined && { system }),
    tools,
    messages,
  };
}
