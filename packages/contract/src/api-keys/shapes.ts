import { keyScopes, longestKeyDays } from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant, Name, pageOf } from '../fields.ts';

export const ApiKey = z
  .object({
    id: Id,
    name: z.string(),
    organizationId: Id.nullable().meta({ description: 'null if the organization was deleted.' }),
    start: z
      .string()
      .meta({ description: 'The first characters of the key, by which it can be recognized.' }),
    scope: z.enum(keyScopes),
    createdAt: Instant,
    expiresAt: Instant.nullable().meta({ description: 'null if the key never expires.' }),
    isExpired: z.boolean().meta({ description: 'Computed with the clock of the database.' }),
    lastUsedAt: Instant.nullable().meta({ description: 'Accurate to five minutes.' }),
    revokedAt: Instant.nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyPage = pageOf(ApiKey, 'ApiKeyPage');

export const ApiKeyCreated = ApiKey.extend({
  key: z
    .string()
    .meta({ description: 'The value of the key. It is returned only in this answer.' }),
}).meta({ id: 'ApiKeyCreated' });

export const ApiKeyCreateRequest = z
  .strictObject({
    name: Name,
    organizationId: Id,
    scope: z.enum(keyScopes).default('full'),
    expiresInDays: z.int().min(1).max(longestKeyDays).nullable().default(null),
  })
  .meta({ id: 'ApiKeyCreateRequest' });
