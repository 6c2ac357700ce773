/**
 * A suite as its author wrote it, without its cases: its default models and the settings that
 * decide its runs. Missing settings stay absent.
 */
import * as z from 'zod';
import { Assertion } from '../assertions/assertion.ts';
import { MatchOptionsLayer } from '../assertions/match-options.ts';
import { modelParameterFields } from '../models/model-parameters.ts';
import { ReplayIgnore } from '../recordings/replay-ignore.ts';
import { StatedTrialPlan } from '../statistics/stated-trial-plan.ts';
import { maxConfiguredTrials } from '../verdict/decision.ts';
import { besidePlan } from './case-trials.ts';
import { maxCaseAssertions } from './eval-case.ts';
import { setupFields } from './setup-and-teardown.ts';
import { SuiteServer } from './suite-server.ts';

const fraction = z.number().min(0).max(1);

export const StatedValidityShape = z.strictObject({
  minEligibleTrials: z.int().min(1).optional(),
  minCompletionRate: fraction.optional(),
  maxEvaluatorErrorRate: fraction.optional(),
});

export const VerdictPolicyDefaults = z
  .strictObject({
    repetitions: z.int().min(1).max(maxConfiguredTrials).optional(),
    passThreshold: fraction.optional(),
    trials: StatedTrialPlan.optional(),
    validity: StatedValidityShape.optional(),
  })
  .superRefine((stated, context) => {
    const message = besidePlan(stated, ['repetitions', 'passThreshold']);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['trials'], message });
  })
  .meta({ id: 'EvalVerdictPolicyDefaults' });

export const ToolPolicy = z
  .strictObject({
    mode: z.enum(['default', 'readOnly']),
    allow: z.array(z.string().min(1).max(256)).max(500).optional(),
    deny: z.array(z.string().min(1).max(256)).max(500).optional(),
  })
  .meta({
    id: 'EvalToolPolicy',
    description:
      'The tools that a run may call. deny: tools that are never called. readOnly: only tools that say that they only read, and the tools listed in allow.',
  });
export type ToolPolicy = z.infer<typeof ToolPolicy>;

export const AllowWrites = z.array(z.string().min(1).max(256)).max(500).meta({
  id: 'EvalAllowWrites',
  description:
    'Tools held for writing that a run may call. If the list is present, even empty, calls of all other tools held for writing are refused.',
});

export const JudgeSettings = z
  .strictObject({
    enabled: z.boolean(),
    autoRun: z.boolean().optional(),
    model: z.string().trim().min(1).max(200).optional(),
    provider: z.string().trim().min(1).max(200).optional(),
    threshold: fraction.optional(),
  })
  .meta({
    id: 'EvalJudgeSettings',
    description: 'The judge of the suite (default: off, without a model).',
  });
export type JudgeSettings = z.infer<typeof JudgeSettings>;

export const SessionSharing = z.enum(['trial', 'run']).meta({
  id: 'EvalSessionSharing',
  description:
    'The owner of the sessions with servers. trial (default): every trial opens its own sessions, so no trial sees what another did. run: all trials of a run share one session with each server, for servers that are slow to open.',
});

export const RecordingPolicy = z.enum(['all', 'failed', 'off']).meta({
  id: 'EvalRecordings',
  description:
    'An addition of Proofmark beyond the specification: the trials that are recorded for replay. A recording has the requests to models and servers and their answers, without secrets. all (default); failed: trials that did not pass or could not be graded; off: none.',
});

export const QuarantineShare = fraction.meta({
  id: 'EvalQuarantineShare',
  description:
    'The share of the cases of the suite that may be in quarantine (default: 0.2); one may always be.',
});

export const SuiteSettings = z
  .strictObject({
    minimumAccuracy: z.number().min(0).max(100).optional(),
    minimumIterations: z.int().min(1).max(10).optional(),
    matchOptions: MatchOptionsLayer.optional(),
    checks: z.array(Assertion).max(maxCaseAssertions).optional(),
    judge: JudgeSettings.optional(),
    verdictPolicyDefaults: VerdictPolicyDefaults.optional(),
    toolPolicy: ToolPolicy.optional(),
    allowWrites: AllowWrites.optional(),
    sessions: SessionSharing.optional(),
    recordings: RecordingPolicy.optional(),
    replayIgnore: ReplayIgnore.optional(),
    quarantineShare: QuarantineShare.optional(),
    ...setupFields,
  })
  .meta({ id: 'EvalSuiteSettings' });
export type SuiteSettings = z.infer<typeof SuiteSettings>;

/**
 * Fields of a suite file that runs do not use. They are stored so that an export reproduces the
 * file.
 */
const SuiteFileParts = z.strictObject({
  schemaVersion: z.enum(['1', '2']),
  servers: z.array(SuiteServer).optional(),
  environment: z.string().optional(),
  captureLevel: z.literal('full').optional(),
  provenance: z.record(z.string(), z.unknown()).optional(),
});

export const SuiteDefinition = z.strictObject({
  declaredId: z.string().min(1).max(128).optional(),
  /** Absent for a suite that asks models. */
  mode: z.literal('serverContract').optional(),
  model: z.string().trim().min(1).max(200).optional(),
  provider: z.string().trim().min(1).max(200).optional(),
  systemPrompt: z.string().max(100_000).optional(),
  ...modelParameterFields,
  settings: SuiteSettings,
  file: SuiteFileParts.optional(),
});
export type SuiteDefinition = z.infer<typeof SuiteDefinition>;
