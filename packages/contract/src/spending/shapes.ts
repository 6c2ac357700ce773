import { limitNames } from '@proofmark/domain';
import * as z from 'zod';
import { Instant } from '../fields.ts';

const Amount = z.number().min(0);
const Day = z.string().meta({ description: 'A UTC day like 2026-03-04.' });

const LimitStanding = z
  .object({
    name: z.enum(limitNames),
    used: Amount.meta({ description: 'Of the day, of what is stored, or of what goes on.' }),
    reserved: Amount.meta({ description: 'Set aside for what goes on; some of it may come back.' }),
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
    unpriced: Amount.meta({ description: 'Steps whose cost is not known.' }),
  })
  .meta({ id: 'SpentOnModel' });

export const OrganizationSpending = z
  .object({
    day: Day,
    resetsAt: Instant.meta({ description: 'When what is counted by the day begins anew.' }),
    limits: z.array(LimitStanding).meta({ description: 'As they stand today.' }),
    spent: z
      .array(SpentOnModel)
      .meta({ description: 'On the day, by what for and on which model.' }),
    days: z.array(z.object({ day: Day, credits: Amount })).meta({
      description: 'The last 14 days, oldest first.',
    }),
  })
  .meta({ id: 'OrganizationSpending' });
