import { guestToolPolicies } from '@proofmark/domain';
import * as z from 'zod';
import { Id } from '../fields.ts';

const Count = z.int().min(0);

const required = {
  enabled: z.boolean().meta({ description: 'Whether they may use a model that costs something.' }),
  computerEnabled: z.boolean(),
  sharedSkillsEnabled: z.boolean().meta({ description: 'Whether skills of the project are used.' }),
  dailyCreditCap: z.number().min(0).meta({ description: 'Credits a UTC day; 0 means none.' }),
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
      'An addition of Proofmark beyond the specification. `readOnly`: only tools that say that they only read.',
  }),
};

export const GuestExecutionShape = z.object({ ...required, ...optional }).meta({
  id: 'GuestExecution',
  description:
    'What visitors without an account may spend. There are no computers and harnesses here: their numbers are kept, and nothing is started.',
});

export const GuestExecutionRequest = z
  .strictObject({ ...required, ...z.object(optional).partial().shape })
  .meta({
    id: 'GuestExecutionRequest',
    description: 'Replaces all of it: an optional field that is left out is off.',
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
      .meta({ description: 'An addition of Proofmark: what is ever started for a visitor.' }),
  })
  .meta({ id: 'GuestExecutionAnswer' });
