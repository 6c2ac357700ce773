import * as z from 'zod';
import { Id, Instant } from '../fields.ts';

export const ScorerSecretState = z
  .object({
    projectId: Id,
    madeAt: Instant.nullable().meta({ description: 'null where there is none yet.' }),
  })
  .meta({ id: 'ScorerSecretState' });

export const ScorerSecretMade = z
  .object({
    projectId: Id,
    madeAt: Instant,
    secret: z.string().meta({ description: 'The secret itself, shown this once.' }),
  })
  .meta({ id: 'ScorerSecretMade' });
