import {
  maxQuarantineDays,
  maxQuarantineOwnerLength,
  maxQuarantineReasonLength,
  quarantineSources,
  quarantineStates,
} from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant } from '../fields.ts';

export const EvalQuarantineEntry = z
  .object({
    id: Id,
    caseId: z.string().meta({ description: 'The declared id of the case, or its own id.' }),
    model: z.string().nullable().meta({ description: 'null for every variant of the case.' }),
    owner: z.string(),
    reason: z.string(),
    expiresAt: Instant,
    daysLeft: z.int().min(0),
    source: z.enum(quarantineSources),
    state: z.enum(quarantineStates).meta({
      description:
        'Only inForce lets a case variant fail. expired, gone (the suite does not have the case) and steady (its last 59 graded trials passed) fail the gate until the entry is deleted.',
    }),
    createdAt: Instant,
    createdByEmail: z.string(),
    title: z
      .string()
      .nullable()
      .meta({ description: 'The title of the case; null if the suite no longer has it.' }),
    decisionCaseIds: z.array(z.string()).meta({
      description: 'The ids of the case in decisions of runs.',
    }),
  })
  .meta({ id: 'EvalQuarantineEntry', description: 'A case variant that may fail for a time.' });

export const Quarantine = z
  .object({
    items: z.array(EvalQuarantineEntry),
    most: z.int().min(1).meta({
      description: 'The highest number of cases in quarantine, from settings.quarantineShare.',
    }),
  })
  .meta({ id: 'EvalQuarantine' });

export const QuarantineCreateRequest = z
  .strictObject({
    caseId: z.string().min(1).max(200).meta({
      description: 'The declared id of a case of the suite, or its own id.',
    }),
    model: z.string().trim().min(1).max(200).optional().meta({
      description: 'If omitted, every variant of the case.',
    }),
    // The domain checks the lengths together with `expiresAt`, so that all give the same error.
    // Here the bounds are only documented.
    owner: z.string().meta({
      minLength: 1,
      maxLength: maxQuarantineOwnerLength,
      description: 'The person who repairs the case: a member, or any text.',
    }),
    reason: z.string().meta({ minLength: 1, maxLength: maxQuarantineReasonLength }),
    expiresAt: Instant.meta({
      description: `A time in the future, at most ${maxQuarantineDays} days from now.`,
    }),
  })
  .meta({ id: 'EvalQuarantineCreateRequest' });

export const QuarantineCreated = z
  .object({ status: z.literal('created'), entry: EvalQuarantineEntry })
  .meta({ id: 'EvalQuarantineCreated' });

export const QuarantineRemoved = z
  .object({ status: z.enum(['removed', 'already_removed']), entry: EvalQuarantineEntry })
  .meta({ id: 'EvalQuarantineRemoved' });
