import { retainedKinds } from '@proofmark/domain';
import * as z from 'zod';

const Limit = z.int().min(1).nullable();

export const OrganizationRetention = z
  .object({
    rules: z.array(
      z.object({
        kind: z.enum(retainedKinds),
        days: Limit.meta({ description: 'null if there is no age limit.' }),
        count: Limit.meta({
          description:
            'The number kept for each suite, or for each person for chat sessions. null if there is no limit.',
        }),
      }),
    ),
  })
  .meta({ id: 'OrganizationRetention' });
