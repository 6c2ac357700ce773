/**
 * The stored decision of a run under verdict policy v2: its vocabularies, in their published order,
 * and its schemas, which reject unknown keys. Rates and thresholds are fractions from 0 to 1. The
 * schemas check only the form of a decision; `readDecision` checks whether its numbers agree.
 */
import * as z from 'zod';

export const verdictPolicyVersion = 2;

export const trialStatuses = [
  'pending',
  'running',
  'completed',
  'failed',
  'cancelled',
  'timed_out',
  'setup_failed',
  'skipped',
] as const;
export type TrialStatus = (typeof trialStatuses)[number];

export const taskVerdicts = ['passed', 'failed'] as const;
export type TaskVerdict = (typeof taskVerdicts)[number];

export const verdicts = ['passed', 'failed', 'inconclusive'] as const;
export type Verdict = (typeof verdicts)[number];

export const exclusionReasons = [
  'notTerminal',
  'skipped',
  'setupFailed',
  'cancelled',
  'timedOut',
  'executionFailed',
  'evaluatorError',
] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

export const validityReasons = [
  'configuredTrialsNotAttempted',
  'noGradeableTrials',
  'eligibleTrialsBelowMinimum',
  'completionRateBelowMinimum',
  'completionRateNotMeasured',
  'evaluatorErrorRateAboveMaximum',
  'evaluatorErrorRateNotMeasured',
  'caseHasNoEligibleTrials',
] as const;
export type ValidityReason = (typeof validityReasons)[number];

const taskReasons = [
  'casePassRateMetThreshold',
  'casePassRateBelowThreshold',
  'allMeasuredCasesMetThreshold',
] as const;
export type TaskReason = (typeof taskReasons)[number];

const caseReasons = [
  'caseHasNoEligibleTrials',
  'casePassRateMetThreshold',
  'casePassRateBelowThreshold',
] as const;
export type CaseReason = (typeof caseReasons)[number];

export const decisionReasons = [
  ...validityReasons,
  'casePassRateBelowThreshold',
  'allMeasuredCasesMetThreshold',
] as const;
export type DecisionReason = (typeof decisionReasons)[number];

export const caseIdPattern = /^[A-Za-z0-9_-]{1,128}$/;
export const maxConfiguredTrials = 100;
/** A trial plan may need 200 trials and replace each of them once. */
export const maxPlannedTrials = 400;
export const maxDistinctCases = 500;

export const Fraction = z.number().min(0).max(1);
const Count = z.int().min(0);
const ExcludedCount = z.int().min(1).exactOptional();

export const Exclusions = z
  .strictObject({
    notTerminal: ExcludedCount,
    skipped: ExcludedCount,
    setupFailed: ExcludedCount,
    cancelled: ExcludedCount,
    timedOut: ExcludedCount,
    executionFailed: ExcludedCount,
    evaluatorError: ExcludedCount,
  } satisfies Record<ExclusionReason, typeof ExcludedCount>)
  .meta({
    id: 'EvalRunDecisionExclusions',
    description:
      'The number of trials excluded from the denominator of this rate, by reason. A reason that excluded nothing is omitted.',
  });
export type Exclusions = z.infer<typeof Exclusions>;

export const MeasuredRate = z
  .strictObject({
    state: z.literal('measured'),
    value: Fraction.meta({ description: 'Exactly numerator / denominator, never rounded.' }),
    numerator: Count,
    denominator: z.int().min(1),
    exclusions: Exclusions,
  })
  .meta({ id: 'EvalRunDecisionRateMeasured' });
export type MeasuredRate = z.infer<typeof MeasuredRate>;

export const NotMeasuredRate = z
  .strictObject({
    state: z.literal('notMeasured'),
    value: z.null(),
    numerator: z.literal(0),
    denominator: z.literal(0),
    exclusions: Exclusions,
  })
  .meta({ id: 'EvalRunDecisionRateNotMeasured' });
export type NotMeasuredRate = z.infer<typeof NotMeasuredRate>;

export const Rate = z
  .discriminatedUnion('state', [MeasuredRate, NotMeasuredRate])
  .meta({ id: 'EvalRunDecisionRate' });
export type Rate = z.infer<typeof Rate>;

const AllAttemptedCoverage = z
  .strictObject({
    kind: z.literal('allConfiguredTrialsAttempted'),
    minGradeableTrials: z.literal(1),
  })
  .meta({ id: 'EvalRunDecisionCoverageAllAttempted' });

const MinEligibleCoverage = z
  .strictObject({ kind: z.literal('minEligibleTrials'), minEligibleTrials: z.int().min(1) })
  .meta({ id: 'EvalRunDecisionCoverageMinEligible' });

export const Coverage = z
  .discriminatedUnion('kind', [AllAttemptedCoverage, MinEligibleCoverage])
  .meta({ id: 'EvalRunDecisionCoverage' });
export type Coverage = z.infer<typeof Coverage>;

export const ValidityPolicy = z
  .strictObject({
    coverage: Coverage,
    minCompletionRate: Fraction,
    maxEvaluatorErrorRate: Fraction,
  })
  .meta({ id: 'EvalRunDecisionPolicy' });
export type ValidityPolicy = z.infer<typeof ValidityPolicy>;

export const Validity = z
  .strictObject({
    policy: ValidityPolicy,
    holds: z.boolean(),
    configuredTrials: z.int().min(1),
    attemptedTrials: Count,
    eligibleTrials: Count,
    completionRate: Rate,
    evaluatorErrorRate: Rate,
  })
  .meta({ id: 'EvalRunDecisionValidity' });
export type Validity = z.infer<typeof Validity>;

export const ExecutionVariant = z
  .strictObject({
    model: z.string().min(1).max(200),
    provider: z.string().min(1).max(200).exactOptional(),
  })
  .meta({
    id: 'EvalRunDecisionExecutionVariant',
    description:
      'The model of the trials of this row. Absent if the run did not fan out; absence is no wildcard.',
  });
export type ExecutionVariant = z.infer<typeof ExecutionVariant>;

export const DecisionCase = z
  .strictObject({
    caseId: z.string().regex(caseIdPattern).meta({
      description: 'An identity inside the decision, not a join key into trials.',
    }),
    executionVariant: ExecutionVariant.exactOptional(),
    configuredTrials: z
      .int()
      .min(1)
      .max(maxPlannedTrials)
      .meta({
        description: `At most ${maxConfiguredTrials}, except for a case with a trial plan.`,
      }),
    attemptedTrials: Count,
    eligibleTrials: Count,
    passedTrials: Count,
    failedTrials: Count,
    effectivePassThreshold: Fraction,
    passRate: Rate,
    completionRate: Rate,
    observedStability: Rate,
    mixedVerdict: z.boolean(),
    verdict: z.enum(verdicts),
    reason: z.enum(caseReasons),
  })
  .meta({ id: 'EvalRunDecisionCase' });
export type DecisionCase = z.infer<typeof DecisionCase>;

export const Decision = z
  .strictObject({
    verdictPolicyVersion: z.literal(verdictPolicyVersion),
    verdict: z.enum(verdicts),
    reasons: z.array(z.enum(decisionReasons)).min(1),
    validity: Validity,
    cases: z.array(DecisionCase).min(1),
  })
  .meta({
    id: 'EvalRunDecision',
    description: "The run's own decision under verdict policy v2.",
  });
export type Decision = z.infer<typeof Decision>;
