import { limitNames } from '@proofmark/domain';
import * as z from 'zod';
import { Instant } from '../fields.ts';

const Amount = z.number().min(0);
const Day = z.string().meta({ description: 'A UTC day like 2026-03-04.' });

const LimitStanding = z
  .object({
    name: z.enum(limitNames),
    used: Amount.meta({
      description: 'The amount used today, stored, or in use now, depending on the limit.',
    }),
    reserved: Amount.meta({
      description: 'Reserved for work in progress; a part of it may be returned.',
    }),
    allowed: Amount.nullable().meta({ description: 'null: no limit.' }),
    left: Amount.nullable(),
  })
  .meta({ id: 'LimitStanding' });

const SpentOnModel = z
  .object({
    kind: z.string(),
    model: z.string(),
    steps: Amount,
    inputTokens: Amount,
    outputTokens: Amount,
    credits: Amount,
    unpriced: Amount.meta({ description: 'The number of steps with an unknown cost.' }),
  })
  .meta({ id: 'SpentOnModel' });

export const OrganizationSpending = z
  .object({
    day: Day,
    resetsAt: Instant.meta({ description: 'The time at which daily limits reset.' }),
    limits: z.array(LimitStanding).meta({ description: 'The current limits.' }),
    spent: z
      .array(SpentOnModel)
      .meta({ description: 'The cost on the day, by purpose and model.' }),
    days: z.array(z.object({ day: Day, credits: Amount })).meta({
      description: 'The last 14 days, oldest first.',
    }),
  })
  .meta({ id: 'OrganizationSpending' });
