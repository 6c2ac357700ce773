/**
 * The evidence of one session, from which its grade, its findings and its stage results are
 * derived. Calls and texts are stored truncated and without secrets, so the criteria are measured
 * before storage.
 */
import type { ToolCall, Transcript } from '../assertions/transcript.ts';
import type { AssertionEvidence, TrialEvidence, TurnEvidence } from '../chain/trial-evidence.ts';
import type { CriterionGrade } from './scorecard.ts';

export interface SessionEvidence {
  readonly evidenceVersion: 1;
  readonly seen: Omit<
    TrialEvidence,
    'authored' | 'turns' | 'assertions' | 'renders' | 'judge' | 'attribution'
  >;
  readonly transcript: Transcript;
  readonly turns: readonly (readonly SessionCall[])[];
  /**
   * The tools offered to the model, under the names that the server uses; empty if the tools are
   * unknown.
   */
  readonly toolsOffered: readonly { readonly toolName: string; readonly serverId: string | null }[];
  readonly end: SessionEnd;
  readonly measured?: MeasuredRubric;
}

export interface MeasuredRubric {
  readonly criteria: readonly MeasuredCriterion[];
  readonly turns: readonly TurnEvidence[];
  readonly assertions: readonly AssertionEvidence[];
  /** The span ids of failed calls that a criterion expects to fail. */
  readonly excusedSpanIds?: readonly string[];
  /**
   * The span ids of failed calls for which it is unknown whether a criterion expects the failure.
   */
  readonly unknownSpanIds?: readonly string[];
}

export interface MeasuredCriterion extends CriterionGrade {
  /** Set if the criterion could not be evaluated; then `passed` is false and means nothing. */
  readonly evaluatorError?: true;
}

export interface SessionCall extends ToolCall {
  /**
   * Set if the stored arguments were truncated or redacted, so that a repeated call would differ.
   */
  readonly argumentsNotWhole?: true;
}

/** Only a session that was played to its end is graded. */
export type SessionEnd =
  | { readonly kind: 'personaEnded' | 'turnCap' }
  | {
      readonly kind: 'notPlayed';
      readonly errorCode: AttemptErrorCode;
      /** A more precise cause; present if the error code alone would be misleading. */
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

/**
 * The reasons why an attempt to play a session failed. None of them means that the goal was missed.
 */
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
