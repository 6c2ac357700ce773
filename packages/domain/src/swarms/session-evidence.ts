/**
 * The evidence of one session, from which its grade, its findings and its chain are made. It is
 * stored as JSON without loss. Calls and texts are stored cut and without secrets; the rubric is
 * measured before that.
 */
import type { ToolCall, Transcript } from '../assertions/transcript.ts';
import type { AssertionEvidence, TrialEvidence, TurnEvidence } from '../chain/trial-evidence.ts';
import type { CriterionGrade } from './scorecard.ts';

export interface SessionEvidence {
  readonly evidenceVersion: 1;
  /** The analyzer's evidence apart from the rubric. */
  readonly seen: Omit<
    TrialEvidence,
    'authored' | 'turns' | 'assertions' | 'renders' | 'judge' | 'attribution'
  >;
  /**
   * The transcript for assertions: all calls, the errors, the last text of the assistant, usage and
   * the user's messages.
   */
  readonly transcript: Transcript;
  /** The calls of each turn, in order. */
  readonly turns: readonly (readonly SessionCall[])[];
  /** Under the names of their servers; empty without a listing. */
  readonly toolsOffered: readonly { readonly toolName: string; readonly serverId: string | null }[];
  readonly end: SessionEnd;
  /** Present only for a session to be graded. */
  readonly measured?: MeasuredRubric;
}

/** The rubric measured over the complete session. */
export interface MeasuredRubric {
  /** In the order of the rubric. */
  readonly criteria: readonly MeasuredCriterion[];
  /** The analyzer's evidence about the choice of tools, and about the criteria. */
  readonly turns: readonly TurnEvidence[];
  readonly assertions: readonly AssertionEvidence[];
  /** The spans of failed calls that a criterion expects to fail. */
  readonly excusedSpanIds?: readonly string[];
  /** The spans of failed calls of which it is unknown whether a criterion expects them to fail. */
  readonly unknownSpanIds?: readonly string[];
}

export interface MeasuredCriterion extends CriterionGrade {
  /** It has no answer; `passed` is then false without meaning. */
  readonly evaluatorError?: true;
}

export interface SessionCall extends ToolCall {
  /** The stored arguments were cut or redacted, so a repeated call would differ. */
  readonly argumentsNotWhole?: true;
}

/** Only a session that was played to its end is graded. */
export type SessionEnd =
  | { readonly kind: 'personaEnded' | 'turnCap' }
  | {
      readonly kind: 'notPlayed';
      readonly errorCode: AttemptErrorCode;
      /** Present if the code alone would be misleading. */
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

/** The reasons for a failed attempt. None of them means that the goal was not met. */
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
