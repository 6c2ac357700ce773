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
    description: 'Provider to key, for models that are not hosted. Gone when the run has ended.',
  });
const Notes = z.string().max(10_000).optional();
const Key = IdempotencyKey.optional().meta({
  description: 'Of the header Idempotency-Key, which wins.',
});

export const EvalRunCreateRequest = z
  .strictObject({
    suiteId: Id.optional().meta({ description: 'Runs a saved suite again.' }),
    suiteName: Name.optional().meta({
      description: 'Makes a suite from tests and runs it; with tests and serverIds.',
    }),
    suiteDescription: Description.optional(),
    tests: InlineTests.optional(),
    serverIds: z.array(Id).min(1, 'Name at least one server.').max(50).optional().meta({
      description: 'Default: the saved servers of the suite. Never beside an environment.',
    }),
    serverNames: z.array(z.string().max(200)).max(50).optional().meta({
      description: 'Accepted for older callers; the saved names are used.',
    }),
    suiteRerun: z.boolean().optional().meta({
      description: 'Accepted for older callers; a suiteId always runs the suite again.',
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
        'An addition of Proofmark beyond the specification: a plan for all cases of this run, in place of a number of trials. Never beside iterationOverride. A replay has the trials that were recorded, and takes the passing score from the plan (default: that of the replayed run).',
    }),
    maxCredits: z.number().min(0).max(1e9).optional().meta({
      description:
        'The most credits that the run may use, judges included. Nothing further is begun once the worst case would pass it; the run then ends with stopReason credits.',
    }),
    environmentId: Id.optional().meta({
      description: 'One that is attached to the suite. The only one is taken by itself.',
    }),
    namedHostId: Id.optional().meta({
      description: 'A client of the project to play, where there is no environment.',
    }),
    caseIds: z.array(Id).min(1, 'Name at least one case.').max(500).optional(),
    matchOptionsOverride: MatchOptionsLayer.optional(),
    skillsOverride: z.literal('exclude').optional(),
    refreshSnapshot: z.boolean().optional().meta({
      description: 'Accepted for older callers; every run takes what is saved now.',
    }),
    overlay: SurfaceOverlay.optional().meta({
      description:
        'An addition of Proofmark beyond the specification: what models are shown of tools in the place of what their servers list. At most 256 KiB. Servers get calls by their own names.',
    }),
    runGroupId: Label.optional().meta({
      description: 'A label of yours for runs that belong together.',
    }),
    model: z.string().trim().min(1).max(200).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: plays all cases on this model, whatever they name.',
    }),
    seed: modelParameterFields.seed.meta({
      description:
        'An addition of Proofmark beyond the specification: what models are seeded with where case, client and suite state no seed and the provider takes one. A replay has the seed of its run where it names none.',
    }),
    replay: EvalRunReplayRequest.optional().meta({
      description:
        'An addition of Proofmark beyond the specification: plays an earlier run of the suite again, with one side or both answered from what was recorded of it. Cases, assertions and policy are those of now; environment and client those of that run, where none is named. A judge that is asked as recorded answers from the recording; any other, and own scorers, are asked for real. An overlay is shown to a live model; a recorded one was not asked with it, so it diverges. 409 with details.reason NOT_RECORDED where nothing of the run is kept.',
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
        'failed: case variants with a trial that failed. notGraded: with one that came to no result. all: every case variant of the run.',
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
      description: 'true: this key launched the run before.',
    }),
    runGroupId: z.string().optional(),
    servers: z.array(Named).meta({ description: 'The servers of the run, and no others.' }),
    environment: EvalRunEnvironment.nullable().meta({
      description: 'As it is pinned; null for a saved server selection.',
    }),
    caseUpsert: z
      .object({
        committed: z.array(Named),
        failed: z.array(Named.extend({ error: z.string() })),
      })
      .meta({ description: 'The cases that were made with the run.' }),
    warnings: EvalWarnings,
  })
  .meta({ id: 'EvalRunCreated' });
