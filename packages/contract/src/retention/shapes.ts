import { retainedKinds } from '@proofmark/domain';
import * as z from 'zod';

const Limit = z.int().min(1).nullable();

export const OrganizationRetention = z
  .object({
    rules: z.array(
      z.object({
        kind: z.enum(retainedKinds),
        days: Limit.meta({ description: 'null: no limit of age.' }),
        count: Limit.meta({
          description: 'Of each suite, or of each person for sessions. null: no limit.',
        }),
      }),
    ),
  })
  .meta({ id: 'OrganizationRetention' });
