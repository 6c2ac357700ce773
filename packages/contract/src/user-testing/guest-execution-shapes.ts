import { guestToolPolicies } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const Count = z.int().min(0);

const required = {
  enabled: z
    .boolean()
    .meta({ description: 'Whether visitors without an account may use models that cost credits.' }),
  computerEnabled: z.boolean(),
  sharedSkillsEnabled: z
    .boolean()
    .meta({ description: 'Whether the skills of the project are available.' }),
  dailyCreditCap: z
    .number()
    .min(0)
    .meta({ description: 'Credits for each UTC day; 0 allows none.' }),
  dailyComputerStartCap: Count,
  maxConcurrentComputers: Count,
};

const optional = {
  harnessEnabled: z.boolean(),
  dailyHarnessSpendCapMicros: Count,
  dailyHarnessCallCap: Count,
  maxConcurrentHarnessRuns: Count,
  toolPolicy: z.enum(guestToolPolicies).meta({
    description:
      'An addition of Proofmark beyond the specification. `readOnly`: only tools whose annotations say that they only read.',
  }),
};

export const GuestExecutionShape = z.object({ ...required, ...optional }).meta({
  id: 'GuestExecution',
  description:
    'The spending limits of visitors without an account. Limits for computers and harnesses are stored but have no effect here.',
});

export const GuestExecutionRequest = z
  .strictObject({ ...required, ...z.object(optional).partial().shape })
  .meta({
    id: 'GuestExecutionRequest',
    description: 'Replaces all settings: an omitted optional field is off.',
  });

export const GuestExecutionAnswer = z
  .object({
    id: Id,
    projectId: Id,
    ...required,
    ...optional,
    guestExecution: GuestExecutionShape,
    effective: z
      .object({ computer: z.literal(false), harness: z.literal(false) })
      .meta({ description: 'An addition of Proofmark: the settings that take effect.' }),
  })
  .meta({ id: 'GuestExecutionAnswer' });
