/**
 * A launch either runs a saved suite or creates a suite from the given tests. Both together are
 * rejected, because running a saved suite must not write cases.
 */
import {
  InlineTests,
  MatchOptionsLayer,
  maxConfiguredTrials,
  modelParameterFields,
  rerunScopes,
  StatedTrialPlan,
  SurfaceOverlay,
} from '@proofmark/domain';
import * as z from 'zod';
import { EvalWarnings } from '../eval-suites/warning-shapes.ts';
import { Description, Id, Name } from '../fields.ts';
import { IdempotencyKey } from '../idempotency-key.ts';
import { EvalRunReplayRequest } from './replay-shapes.ts';
import { EvalRunEnvironment, runStatuses } from './shapes.ts';

const Label = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\x21-\x7e]+$/, 'A label is 1 to 128 printable ASCII characters without spaces.');

const ModelApiKeys = z
  .record(z.string().min(1).max(64), z.string().min(1).max(4096))
  .refine((keys) => Object.keys(keys).length <= 20, 'Send at most 20 keys.')
  .optional()
  .meta({
    description:
      'Keys by provider, for models that are not hosted. They are deleted when the run ends.',
  });
const Notes = z.string().max(10_000).optional();
const Key = IdempotencyKey.optional().meta({
  description: 'The same as the header Idempotency-Key, which takes precedence.',
});

export const EvalRunCreateRequest = z
  .strictObject({
    suiteId: Id.optional().meta({ description: 'Runs this saved suite.' }),
    suiteName: Name.optional().meta({
      description: 'Creates a suite from tests and runs it; needs tests and serverIds.',
    }),
    suiteDescription: Description.optional(),
    tests: InlineTests.optional(),
    serverIds: z.array(Id).min(1, 'Name at least one server.').max(50).optional().meta({
      description:
        'Default: the saved servers of the suite. Not allowed together with an environment.',
    }),
    serverNames: z.array(z.string().max(200)).max(50).optional().meta({
      description: 'Accepted for older callers and ignored; the saved names are used.',
    }),
    suiteRerun: z.boolean().optional().meta({
      description: 'Accepted for older callers and ignored; suiteId always runs the saved suite.',
    }),
    modelApiKeys: ModelApiKeys,
    notes: Notes,
    passCriteria: z
      .strictObject({ minimumPassRate: z.number().min(0).max(100).optional() })
      .optional()
      .meta({ description: 'A percentage of all trials.' }),
    iterationOverride: z.int().min(1).max(maxConfiguredTrials).optional(),
    trials: StatedTrialPlan.optional().meta({
      description:
        'An addition of Proofmark beyond the specification: a plan for all cases of this run, in place of a number of trials. Not allowed together with iterationOverride. A replay plays the recorded trials and takes only the threshold from the plan (default: that of the replayed run).',
    }),
    maxCredits: z.number().min(0).max(1e9).optional().meta({
      description:
        'The most credits that the run may use, including judges. Nothing starts whose highest possible cost would exceed the limit; the run then ends with stopReason credits.',
    }),
    environmentId: Id.optional().meta({
      description: 'An environment that is attached to the suite. Default: the only attached one.',
    }),
    namedHostId: Id.optional().meta({
      description: 'The client of the project for a run without an environment.',
    }),
    caseIds: z.array(Id).min(1, 'Name at least one case.').max(500).optional(),
    matchOptionsOverride: MatchOptionsLayer.optional(),
    skillsOverride: z.literal('exclude').optional(),
    refreshSnapshot: z.boolean().optional().meta({
      description:
        'Accepted for older callers and ignored; every run uses the current saved suite.',
    }),
    overlay: SurfaceOverlay.optional().meta({
      description:
        'An addition of Proofmark beyond the specification: replacements for listed tools, shown only to models. At most 256 KiB. Calls reach the servers under their own names.',
    }),
    runGroupId: Label.optional().meta({
      description: 'A label that you choose for runs that belong together.',
    }),
    model: z.string().trim().min(1).max(200).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: plays all cases on this model, in place of the models that they name.',
    }),
    seed: modelParameterFields.seed.meta({
      description:
        'An addition of Proofmark beyond the specification: the seed for models if case, client and suite state none and the provider supports seeds. Default of a replay: the seed of the replayed run.',
    }),
    replay: EvalRunReplayRequest.optional().meta({
      description:
        'An addition of Proofmark beyond the specification: replays an earlier run of the suite, with its model, its servers or both answered from recordings. Cases, assertions and policy are the current ones; environment and client default to those of the replayed run. Judges answer from the recording if their request is unchanged; other judges and own scorers are called live. An overlay works with a live model; with a recorded model the trials diverge. 409 with details.reason NOT_RECORDED if nothing of the run is recorded.',
    }),
    idempotencyKey: Key,
  })
  .superRefine((body, context) => {
    const { suiteId, suiteName, tests, serverIds } = body;
    if (body.trials !== undefined && body.iterationOverride !== undefined) {
      const message =
        'A plan decides how many trials are played; send either trials or iterationOverride.';
      context.addIssue({ code: 'custom', path: ['trials'], message });
    }
    if (suiteId !== undefined) {
      for (const field of ['suiteName', 'suiteDescription', 'tests'] as const) {
        if (body[field] === undefined) continue;
        const message = 'Send either suiteId or suiteName with tests, not both.';
        context.addIssue({ code: 'custom', path: [field], message });
      }
      return;
    }
    if (body.replay !== undefined) {
      const message = 'Only a saved suite can be replayed; send its suiteId.';
      context.addIssue({ code: 'custom', path: ['replay'], message });
    }
    for (const [field, value] of Object.entries({ suiteName, tests, serverIds })) {
      if (value !== undefined) continue;
      const message = 'Send suiteId, or suiteName with tests and serverIds.';
      context.addIssue({ code: 'custom', path: [field], message });
    }
  })
  .meta({ id: 'EvalRunCreateRequest' });

export const EvalRunRerunRequest = z
  .strictObject({
    scope: z.enum(rerunScopes).meta({
      description:
        'failed: case variants with a failed trial. notGraded: case variants with a trial that has no result. all: every case variant of the run.',
    }),
    modelApiKeys: ModelApiKeys,
    notes: Notes,
    idempotencyKey: Key,
  })
  .meta({ id: 'EvalRunRerunRequest' });

const Named = z.object({ id: Id, name: z.string() });

export const EvalRunCreated = z
  .object({
    runId: Id,
    suiteId: Id,
    status: z.enum(runStatuses),
    deduped: z.boolean().optional().meta({
      description: 'True if an earlier request with this key launched the run.',
    }),
    runGroupId: z.string().optional(),
    servers: z.array(Named).meta({ description: 'The complete list of servers of the run.' }),
    environment: EvalRunEnvironment.nullable().meta({
      description: 'The pinned environment; null if the run uses saved servers.',
    }),
    caseUpsert: z
      .object({
        committed: z.array(Named),
        failed: z.array(Named.extend({ error: z.string() })),
      })
      .meta({ description: 'The cases that were created with the run.' }),
    warnings: EvalWarnings,
  })
  .meta({ id: 'EvalRunCreated' });
