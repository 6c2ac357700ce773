import * as z from 'zod';
import { Id, Instant, Name, pageOf } from '../fields.ts';

export const ApiKey = z
  .object({
    id: Id,
    name: z.string(),
    organizationId: Id.nullable().meta({ description: 'null once the organization is gone.' }),
    start: z.string().meta({ description: 'The first characters, to tell keys apart.' }),
    createdAt: Instant,
    revokedAt: Instant.nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyPage = pageOf(ApiKey, 'ApiKeyPage');

export const ApiKeyCreated = ApiKey.extend({
  key: z.string().meta({ description: 'The key itself, shown this once.' }),
}).meta({ id: 'ApiKeyCreated' });

export const ApiKeyCreateRequest = z
  .strictObject({ name: Name, organizationId: Id })
  .meta({ id: 'ApiKeyCreateRequest' });
