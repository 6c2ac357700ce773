/** Launches several runs of one suite, one for each target. */
import * as z from 'zod';
import { EvalRunCreated, EvalRunCreateRequest } from '../eval-runs/launch-shapes.ts';
import { EvalRun } from '../eval-runs/shapes.ts';
import { Id } from '../fields.ts';

const knobs = EvalRunCreateRequest.shape;
const launched = EvalRunCreated.shape;

const EvalRunTarget = z
  .strictObject({ environmentId: Id.optional(), namedHostId: Id.optional() })
  .refine(
    ({ environmentId, namedHostId }) =>
      (environmentId === undefined) !== (namedHostId === undefined),
    'A target is one environmentId or one namedHostId.',
  )
  .meta({ id: 'EvalRunTarget' });

export const EvalRunGroupCreateRequest = z
  .strictObject({
    suiteId: Id,
    targets: z.array(EvalRunTarget).min(1, 'Name at least one target.').max(10).meta({
      description:
        'Either only environments or only clients, each attached to the suite. Duplicates count once.',
    }),
    iterationOverride: knobs.iterationOverride,
    trials: knobs.trials,
    maxCredits: knobs.maxCredits.meta({ description: 'The limit of each run of the group.' }),
    caseIds: knobs.caseIds,
    matchOptionsOverride: knobs.matchOptionsOverride,
    skillsOverride: knobs.skillsOverride,
    model: knobs.model,
    seed: knobs.seed,
    overlay: knobs.overlay,
    notes: knobs.notes,
    passCriteria: knobs.passCriteria,
    idempotencyKey: knobs.idempotencyKey,
  })
  .meta({ id: 'EvalRunGroupCreateRequest' });

const ofFirst = 'The value of the first run that started; read targets instead.';

export const EvalRunGroupCreated = z
  .object({
    runGroupId: z.string(),
    suiteId: Id,
    outcome: z.enum(['started', 'partial', 'failed']).meta({
      description:
        'Whether all, some or none of the targets started. Check it, because the status is 202 in each case.',
    }),
    startedCount: z.int(),
    failedCount: z.int(),
    targets: z
      .array(
        z.object({
          target: z.object({
            environmentId: Id.optional(),
            namedHostId: Id.optional(),
            name: z.string().optional(),
          }),
          status: z.enum(['started', 'failed']),
          runId: Id.optional(),
          runStatus: launched.status.optional(),
          deduped: launched.deduped,
          servers: launched.servers.optional(),
          environment: launched.environment.optional(),
          caseUpsert: launched.caseUpsert.optional(),
          error: z.object({ code: z.string(), message: z.string() }).optional(),
        }),
      )
      .meta({ description: 'In the order of the request.' }),
    runId: Id.optional().meta({ deprecated: true, description: ofFirst }),
    status: launched.status.optional().meta({ deprecated: true, description: ofFirst }),
    servers: launched.servers.optional().meta({ deprecated: true, description: ofFirst }),
    environment: launched.environment.optional().meta({ deprecated: true, description: ofFirst }),
    caseUpsert: launched.caseUpsert.optional().meta({ deprecated: true, description: ofFirst }),
  })
  .meta({ id: 'EvalRunGroupCreated' });

export const EvalRunGroup = z
  .object({
    runGroupId: z.string(),
    suiteId: Id,
    runs: z.array(EvalRun).meta({ description: 'In the order of their launch.' }),
  })
  .meta({ id: 'EvalRunGroup' });
