/**
 * What was seen in one session: everything that a grade, a finding and the chain are made from, and nothing that depends
 * on a rubric. It is stored as JSON, so whoever reads it back has the same.
 */
import type { ToolCall, Transcript } from '../assertions/transcript.ts';
import type { TrialEvidence } from '../chain/trial-evidence.ts';

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
}

export interface SessionCall extends ToolCall {
  /** Of the call in the trace, where one was kept. */
  readonly spanId?: string;
}

/** Only a session that was played to its end is graded. */
export type SessionEnd =
  | { readonly kind: 'personaEnded' | 'turnCap' }
  | { readonly kind: 'notPlayed'; readonly errorCode: AttemptErrorCode };

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
