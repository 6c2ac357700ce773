/**
 * What was seen in one session: everything that a grade, a finding and the chain are made from. It is stored as JSON, so
 * whoever reads it back has the same. Calls and words are stored bounded and without secrets; what a rubric says of them
 * is measured before.
 */
import type { ToolCall, Transcript } from '../assertions/transcript.ts';
import type { AssertionEvidence, TrialEvidence, TurnEvidence } from '../chain/trial-evidence.ts';
import type { CriterionGrade } from './scorecard.ts';

export interface SessionEvidence {
  readonly evidenceVersion: 1;
  /** What the analyzer is given beside what a rubric says. */
  readonly seen: Omit<
    TrialEvidence,
    'authored' | 'turns' | 'assertions' | 'renders' | 'judge' | 'attribution'
  >;
  /** As assertions read it: all calls, the errors, the last text of the assistant, usage and the user's messages. */
  readonly transcript: Transcript;
  /** The calls of each turn, in order. */
  readonly turns: readonly (readonly SessionCall[])[];
  /** As their servers name them; empty where no list was made. */
  readonly toolsOffered: readonly { readonly toolName: string; readonly serverId: string | null }[];
  readonly end: SessionEnd;
  /** Only of a session that is to be graded. */
  readonly measured?: MeasuredRubric;
}

/** What a rubric says of a session as it happened, whole and with every word. */
export interface MeasuredRubric {
  /** In the order of the rubric. */
  readonly criteria: readonly MeasuredCriterion[];
  /** What the analyzer is told of the choice of tools, and of the criteria. */
  readonly turns: readonly TurnEvidence[];
  readonly assertions: readonly AssertionEvidence[];
  /** Of calls that failed as a criterion states it. */
  readonly excusedSpanIds?: readonly string[];
  /** Of calls that failed, and nobody can tell whether as a criterion states it. */
  readonly unknownSpanIds?: readonly string[];
}

export interface MeasuredCriterion extends CriterionGrade {
  /** It could not be answered; `passed` is then false and means nothing. */
  readonly evaluatorError?: true;
}

export interface SessionCall extends ToolCall {
  /** Something was cut or hidden in what is kept of them, so the same call would not be like it. */
  readonly argumentsNotWhole?: true;
}

/** Only a session that was played to its end is graded. */
export type SessionEnd =
  | { readonly kind: 'personaEnded' | 'turnCap' }
  | {
      readonly kind: 'notPlayed';
      readonly errorCode: AttemptErrorCode;
      /** Where the code alone would tell something else. */
      readonly cause?: AttemptEndCause;
    };

export type AttemptEndCause = 'callRefused' | 'askedToWait' | 'clientLacks' | 'modelUnpriced';

export const sessionEndReasons = ['personaEnded', 'turnCap'] as const;
export type SessionEndReason = (typeof sessionEndReasons)[number];

export const attemptStatuses = [
  'pending',
  'running',
  'succeeded',
  'failed',
  'rate_limited',
] as const;
export type AttemptStatus = (typeof attemptStatuses)[number];

/** Why an attempt did not succeed. None of them says that the goal was not met. */
export const attemptErrorCodes = [
  'server_unreachable',
  'oauth_required',
  'blocked_by_policy',
  'rate_limited',
  'provider_failed',
  'persona_driver_failed',
  'spend_cap_exceeded',
  'session_timeout',
  'canceled',
  'run_timeout',
  'stale_runner',
  'runner_failed',
] as const;
export type AttemptErrorCode = (typeof attemptErrorCodes)[number];

export function isPlayed(end: SessionEnd): boolean {
  return end.kind !== 'notPlayed';
}
