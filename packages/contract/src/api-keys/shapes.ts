import { keyScopes, longestKeyDays } from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant, Name, pageOf } from '../fields.ts';

export const ApiKey = z
  .object({
    id: Id,
    name: z.string(),
    organizationId: Id.nullable().meta({ description: 'null once the organization is gone.' }),
    start: z.string().meta({ description: 'The first characters, to tell keys apart.' }),
    scope: z.enum(keyScopes),
    createdAt: Instant,
    expiresAt: Instant.nullable().meta({ description: 'null never expires.' }),
    isExpired: z.boolean().meta({ description: 'By the clock of the database.' }),
    lastUsedAt: Instant.nullable().meta({ description: 'Known to five minutes.' }),
    revokedAt: Instant.nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyPage = pageOf(ApiKey, 'ApiKeyPage');

export const ApiKeyCreated = ApiKey.extend({
  key: z.string().meta({ description: 'The key itself, shown this once.' }),
}).meta({ id: 'ApiKeyCreated' });

export const ApiKeyCreateRequest = z
  .strictObject({
    name: Name,
    organizationId: Id,
    scope: z.enum(keyScopes).default('full'),
    expiresInDays: z.int().min(1).max(longestKeyDays).nullable().default(null),
  })
  .meta({ id: 'ApiKeyCreateRequest' });
