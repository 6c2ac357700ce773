import type { Action } from '../action.ts';

export const listModels: Action<'listModels'> = async ({ models }) => {
  const { hosted, providers } = models.offer;
  const names = new Set([...hosted.map(({ provider }) => provider), ...providers]);
  return {
    items: hosted.map(({ id, provider }) => {
      const name = id.slice(provider.length + 1);
      const price = models.priceOf({ hosted: true, id, provider, name });
      return { id, provider, name, kind: 'hosted' as const, ...price };
    }),
    providers: [...names].map((name) => ({
      name,
      hosted: hosted.some(({ provider }) => provider === name),
      acceptsKey: providers.includes(name),
    })),
  };
};
