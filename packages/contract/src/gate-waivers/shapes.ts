import { maxWaiverReasonLength } from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant } from '../fields.ts';

export const GateWaiver = z
  .object({
    id: Id,
    suiteId: Id,
    runId: Id,
    reason: z.string(),
    expiresAt: Instant,
    createdAt: Instant,
    createdBy: Id.nullable(),
    createdByEmail: z.string(),
    revokedAt: Instant.nullable(),
    revokedBy: Id.nullable(),
    active: z.boolean().meta({ description: 'True until the waiver expires or is revoked.' }),
    policySnapshot: z
      .object({ minimumPassRate: z.number().nullable() })
      .nullable()
      .meta({ description: 'The percentage threshold that was waived; null under policy v2.' }),
  })
  .meta({ id: 'GateWaiver', description: 'Lets a failing run through its gate for a while.' });

export const GateWaiverCreateRequest = z
  .strictObject({
    expiresAt: Instant.meta({ description: 'A time in the future, at most 30 days from now.' }),
    // The domain checks the length together with `expiresAt`, so that both give the same error.
    // Here the bounds are only documented.
    reason: z.string().meta({
      minLength: 1,
      maxLength: maxWaiverReasonLength,
      description: 'The reason why the run may pass its gate. White space at both ends is removed.',
    }),
  })
  .meta({ id: 'GateWaiverCreateRequest' });

export const GateWaiverCreated = z
  .object({ status: z.literal('created'), waiver: GateWaiver })
  .meta({ id: 'GateWaiverCreated' });

export const GateWaiverInForce = z
  .object({ waiver: GateWaiver.nullable() })
  .meta({ id: 'GateWaiverInForce' });

export const GateWaiverRevoked = z
  .object({ status: z.enum(['revoked', 'already_revoked']), waiver: GateWaiver })
  .meta({ id: 'GateWaiverRevoked' });
