import {
  modelProviderKinds,
  ProviderModel,
  ProviderModels,
  providerSources,
  RequestsAtOnce,
} from '@proofmark/domain';
import * as z from 'zod';

export const ModelProviderEntry = z
  .object({
    name: z.string(),
    kind: z.enum(modelProviderKinds),
    source: z.enum(providerSources).meta({
      description:
        'The origin of the provider: the configuration file of the operator, a command of the operator, or this organization. Only providers of the organization can be changed here.',
    }),
    isInForce: z.boolean().meta({
      description: 'false if a provider of the operator has the same name.',
    }),
    baseUrl: z.string().nullable().meta({
      description:
        '*** replaces parts that may be secret. null for the usual address of the kind; addresses of the operator are not shown.',
    }),
    hasKey: z.boolean().meta({ description: 'The key itself is never returned.' }),
    models: z.array(ProviderModel),
    requestsAtOnce: z.int().nullable(),
    revision: z
      .int()
      .nullable()
      .meta({ description: 'null if the provider cannot be changed here.' }),
  })
  .meta({ id: 'ModelProviderEntry' });
export type ModelProviderEntry = z.infer<typeof ModelProviderEntry>;

export const ModelProviderList = z
  .object({ items: z.array(ModelProviderEntry) })
  .meta({ id: 'ModelProviderList' });

export const ModelProviderRequest = z
  .strictObject({
    kind: z.enum(modelProviderKinds),
    baseUrl: z.string().trim().max(2048).nullable().default(null).meta({
      description:
        'null for the usual address of the kind. An address sent as it was read stays unchanged.',
    }),
    apiKey: z.string().trim().min(1).max(4096).nullable().optional().meta({
      description:
        'If omitted, the key is kept, unless the provider moves to another origin. null removes it.',
    }),
    models: ProviderModels.default([]),
    requestsAtOnce: RequestsAtOnce.nullable().default(null),
    expectedRevision: z
      .int()
      .min(0)
      .meta({ description: 'The revision that was read; 0 for a new provider.' }),
  })
  .meta({ id: 'ModelProviderRequest' });

export const ModelProviderDeleted = z
  .object({ name: z.string(), deleted: z.literal(true) })
  .meta({ id: 'ModelProviderDeleted' });

export const ModelProviderTestRequest = z
  .strictObject({
    model: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'Default: the first model of the provider.' }),
  })
  .meta({ id: 'ModelProviderTestRequest' });

export const ModelProviderTest = z
  .object({
    ok: z.boolean(),
    model: z.string(),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'The same error as a trial would have; null if ok.' }),
    message: z.string(),
  })
  .meta({ id: 'ModelProviderTest' });
