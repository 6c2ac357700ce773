import * as z from 'zod';
import { Id, Instant } from '../fields.ts';

export const ScorerSecretState = z
  .object({
    projectId: Id,
    madeAt: Instant.nullable().meta({ description: 'null if there is no secret yet.' }),
  })
  .meta({ id: 'ScorerSecretState' });

export const ScorerSecretMade = z
  .object({
    projectId: Id,
    madeAt: Instant,
    secret: z
      .string()
      .meta({ description: 'The secret itself. It is returned only in this answer.' }),
  })
  .meta({ id: 'ScorerSecretMade' });
