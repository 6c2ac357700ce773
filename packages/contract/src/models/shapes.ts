import * as z from 'zod';

const Price = z.number().min(0).meta({
  description:
    'US dollars for a million tokens, as they were stated by whoever named the provider.',
});

export const HostedModel = z
  .object({
    id: z.string().meta({ description: '`<provider>/<name>`, as a case or a client names it.' }),
    provider: z.string(),
    name: z.string(),
    kind: z.literal('hosted'),
    inputPerMillion: Price.optional(),
    outputPerMillion: Price.optional(),
  })
  .meta({ id: 'HostedModel', description: 'A model that runs without a key of the caller.' });

export const ModelProviderStanding = z
  .object({
    name: z.string(),
    hosted: z.boolean().meta({ description: 'Whether some of its models are hosted here.' }),
    acceptsKey: z
      .boolean()
      .meta({ description: 'Whether its other models run on a key sent in modelApiKeys.' }),
  })
  .meta({ id: 'ModelProviderStanding' });

export const ModelList = z
  .object({
    items: z.array(HostedModel),
    providers: z.array(ModelProviderStanding),
  })
  .meta({ id: 'ModelList' });
