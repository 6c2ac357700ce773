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
        'Who named it: the operator in the file or at a terminal, or this organization. Only the last can be changed here.',
    }),
    isInForce: z.boolean().meta({
      description: 'false where the operator has named one that is called the same.',
    }),
    baseUrl: z.string().nullable().meta({
      description:
        'With *** for what may be secret in it. null is the address of the kind; those of the operator are not shown.',
    }),
    hasKey: z.boolean().meta({ description: 'The key itself is never answered.' }),
    models: z.array(ProviderModel),
    requestsAtOnce: z.int().nullable(),
    revision: z.int().nullable().meta({ description: 'null where it cannot be changed here.' }),
  })
  .meta({ id: 'ModelProviderEntry' });
export type ModelProviderEntry = z.infer<typeof ModelProviderEntry>;

export const ModelProviderList = z
  .object({ items: z.array(ModelProviderEntry) })
  .meta({ id: 'ModelProviderList' });

export const ModelProviderRequest = z
  .strictObject({
    kind: z.enum(modelProviderKinds),
    baseUrl: z
      .string()
      .trim()
      .max(2048)
      .nullable()
      .default(null)
      .meta({ description: 'null for the address of the kind. As it was read, it stays.' }),
    apiKey: z.string().trim().min(1).max(4096).nullable().optional().meta({
      description:
        'Left out, the key stays, unless the provider moves to another origin. null takes it away.',
    }),
    models: ProviderModels.default([]),
    requestsAtOnce: RequestsAtOnce.nullable().default(null),
    expectedRevision: z
      .int()
      .min(0)
      .meta({ description: 'As it was read; 0 for one that is new.' }),
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
      .meta({ description: 'The first one it offers where none is named.' }),
  })
  .meta({ id: 'ModelProviderTestRequest' });

export const ModelProviderTest = z
  .object({
    ok: z.boolean(),
    model: z.string(),
    reason: z.string().nullable().meta({ description: 'As a trial would fail; null when ok.' }),
    message: z.string(),
  })
  .meta({ id: 'ModelProviderTest' });
