import * as z from 'zod';

const Price = z.number().min(0).meta({
  description: 'US dollars per million tokens, as stated with the provider.',
});

export const HostedModel = z
  .object({
    id: z.string().meta({ description: '`<provider>/<name>`, as used in cases and clients.' }),
    provider: z.string(),
    name: z.string(),
    kind: z.literal('hosted'),
    inputPerMillion: Price.optional(),
    outputPerMillion: Price.optional(),
  })
  .meta({ id: 'HostedModel', description: 'A model that needs no key of the caller.' });

export const ModelProviderStanding = z
  .object({
    name: z.string(),
    hosted: z.boolean().meta({ description: 'Whether some of its models are hosted here.' }),
    acceptsKey: z
      .boolean()
      .meta({ description: 'Whether its other models can be used with a key in modelApiKeys.' }),
  })
  .meta({ id: 'ModelProviderStanding' });

export const ModelList = z
  .object({
    items: z.array(HostedModel),
    providers: z.array(ModelProviderStanding),
  })
  .meta({ id: 'ModelList' });
