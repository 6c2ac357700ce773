/**
 * The evidence of one session, from which its grade, its findings and its chain are derived. It is
 * stored as JSON without loss. Calls and texts are stored cut and without secrets; the rubric is
 * measured before they are cut.
 */
import type { ToolCall, Transcript } from '../assertions/transcript.ts';
import type { AssertionEvidence, TrialEvidence, TurnEvidence } from '../chain/trial-evidence.ts';
import type { CriterionGrade } from './scorecard.ts';

export interface SessionEvidence {
  readonly evidenceVersion: 1;
  /** The evidence for the analyzer, without everything that depends on the rubric. */
  readonly seen: Omit<
    TrialEvidence,
    'authored' | 'turns' | 'assertions' | 'renders' | 'judge' | 'attribution'
  >;
  /**
   * The transcript for assertions: all calls, the errors, the assistant's last text, token usage
   * and the user's messages.
   */
  readonly transcript: Transcript;
  /** The calls of each turn, in order. */
  readonly turns: readonly (readonly SessionCall[])[];
  /** Offered tools under their names on the server; empty if no listing is known. */
  readonly toolsOffered: readonly { readonly toolName: string; readonly serverId: string | null }[];
  readonly end: SessionEnd;
  /** Present only if the session is graded. */
  readonly measured?: MeasuredRubric;
}

/** The results of the rubric, measured over the complete session. */
export interface MeasuredRubric {
  /** The results in the order of the rubric. */
  readonly criteria: readonly MeasuredCriterion[];
  /** The analyzer's evidence about the choice of tools, and about the criteria. */
  readonly turns: readonly TurnEvidence[];
  readonly assertions: readonly AssertionEvidence[];
  /** The span ids of failed calls that a criterion expects to fail. */
  readonly excusedSpanIds?: readonly string[];
  /**
   * The span ids of failed calls that a criterion may or may not expect to fail, because the answer
   * is unknown.
   */
  readonly unknownSpanIds?: readonly string[];
}

export interface MeasuredCriterion extends CriterionGrade {
  /** Set if the criterion could not be evaluated; then `passed` is false and means nothing. */
  readonly evaluatorError?: true;
}

export interface SessionCall extends ToolCall {
  /** Set if the stored arguments were cut or redacted, so that a repeated call would differ. */
  readonly argumentsNotWhole?: true;
}

/** How a session ended. Only a session that was played to its end is graded. */
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

/** Why an attempt failed. None of these codes says that the goal was missed. */
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
