/**
 * The closed vocabulary of the stage chain: stages in order, states, reasons and failure
 * categories. Readers reject unknown words, so a new word or a new meaning needs a higher
 * `analyzerVersion`.
 */
import * as z from 'zod';

export const analyzerVersion = 2;

export const stages = [
  'connection',
  'discovery',
  'selection',
  'call',
  'response',
  'userValue',
] as const;
export type Stage = (typeof stages)[number];

export const stageStates = [
  'passed',
  'failed',
  'notReached',
  'notMeasured',
  'notApplicable',
] as const;
export type StageState = (typeof stageStates)[number];

export const stageReasons = [
  'noSpanChannel',
  'noEvidenceCaptured',
  'matchVerdictUnavailable',
  'traceAbsent',
  'executorEmitsNoSpans',
  'blockedByPolicy',
  'evaluatorError',
  'providerError',
  'setupAborted',
  'connectFailed',
  'toolsListFailed',
  'egressUnverified',
  'lifecycleStopped',
  'notAuthored',
  'earlierStageFailed',
  'missingToolCall',
  'unexpectedToolCall',
  'argumentMismatch',
  'toolError',
  'protocolError',
  'renderFailed',
  'predicateFailed',
  'observed',
  'impliedByLaterEvidence',
  'judgeObserved',
  'judgePartial',
  'judgeFailed',
  'judgePending',
  'judgeNotRequested',
] as const;
export type StageReason = (typeof stageReasons)[number];

export const failureCategories = [
  'setup',
  'metadata',
  'selection',
  'arguments',
  'serverData',
  'userValue',
  'evaluator',
] as const;
export type FailureCategory = (typeof failureCategories)[number];

/** Every reason belongs to exactly one state. */
export const reasonsOf = {
  passed: ['observed', 'impliedByLaterEvidence', 'judgeObserved'],
  failed: [
    'connectFailed',
    'toolsListFailed',
    'missingToolCall',
    'unexpectedToolCall',
    'argumentMismatch',
    'toolError',
    'protocolError',
    'renderFailed',
    'predicateFailed',
    'judgePartial',
    'judgeFailed',
  ],
  notReached: ['earlierStageFailed'],
  notApplicable: ['notAuthored'],
  notMeasured: [
    'noSpanChannel',
    'noEvidenceCaptured',
    'matchVerdictUnavailable',
    'traceAbsent',
    'executorEmitsNoSpans',
    'blockedByPolicy',
    'evaluatorError',
    'providerError',
    'setupAborted',
    'egressUnverified',
    'lifecycleStopped',
    'judgePending',
    'judgeNotRequested',
  ],
} as const satisfies Readonly<Record<StageState, readonly StageReason[]>>;

/** The limits of one row's evidence: entries in each list, and characters in a reason. */
export const evidenceLimits = { items: 5, reasonLength: 500 } as const;

export const StageEvidence = z.strictObject({
  spanIds: z.array(z.string()).max(evidenceLimits.items).optional(),
  promptIndexes: z.array(z.int().nonnegative()).max(evidenceLimits.items).optional(),
  predicateReasons: z
    .array(z.string().max(evidenceLimits.reasonLength))
    .max(evidenceLimits.items)
    .optional(),
});
export type StageEvidence = z.infer<typeof StageEvidence>;

export const StageResultRow = z
  .strictObject({
    stage: z.enum(stages),
    state: z.enum(stageStates),
    reason: z.enum(stageReasons).optional(),
    evidence: StageEvidence.optional(),
  })
  .meta({ id: 'StageResultRow', description: "One stage's verdict for one trial." });
export type StageResultRow = z.infer<typeof StageResultRow>;
