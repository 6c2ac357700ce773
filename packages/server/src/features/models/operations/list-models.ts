import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import type { Action } from '../../../platform/operations/action.ts';
import type { ModelsParts } from '../models-context.ts';
import { modelsOf } from './models-of.ts';

/**
 * Lists the models of all the caller's organizations; an API key has one organization. Models with
 * the same name in two organizations are listed once.
 */
export const listModels: Action<'listModels', ModelsParts> = async (context) => {
  const offered = await context.tenant(async (sql) => {
    const found: Pick<ModelGateway, 'offer' | 'priceOf'>[] = [];
    for (const organizationId of context.caller.organizationIds) {
      found.push((await modelsOf(sql, context, organizationId)).models);
    }
    return found.length === 0 ? [context.models] : found;
  });
  const items = new Map(offered.flatMap(hostedModels).map((model) => [model.id, model]));
  const hosted = new Set([...items.values()].map(({ provider }) => provider));
  const accepting = new Set(offered.flatMap(({ offer }) => offer.providers));
  return {
    items: [...items.values()],
    providers: [...new Set([...hosted, ...accepting])].map((name) => ({
      name,
      hosted: hosted.has(name),
      acceptsKey: accepting.has(name),
    })),
  };
};

function hostedModels({ offer, priceOf }: Pick<ModelGateway, 'offer' | 'priceOf'>) {
  return offer.hosted.map(({ id, provider }) => {
    const name = id.slice(provider.length + 1);
    const price = priceOf({ hosted: true, id, provider, name });
    return { id, provider, name, kind: 'hosted' as const, ...price };
  });
}
