/**
 * For each way in which an attempt to play a session can fail: its status, the evidence for the
 * analyzer, and one sentence. The sentence is fixed, so that it never contains text of a provider
 * or a server.
 */
import type { TrialEvidence } from '../chain/trial-evidence.ts';
import type { AttemptEndCause, AttemptErrorCode, AttemptStatus } from './session-evidence.ts';

export interface AttemptEnd {
  readonly status: Extract<AttemptStatus, 'failed' | 'rate_limited'>;
  readonly message: string;
  readonly evidence: Pick<
    TrialEvidence,
    'status' | 'providerError' | 'blockedByPolicy' | 'evaluatorError'
  >;
}

const stopped = { status: 'cancelled' } as const;
const timedOut = { status: 'timed_out' } as const;

/** Sentences that replace the one of the error code, where it would state a wrong cause. */
const causes: Readonly<Record<AttemptEndCause, string>> = {
  callRefused:
    'A server of the target accepted the connection, but then rejected the credentials of a call.',
  askedToWait:
    'A server of the target keeps asking Proofmark to wait, so it could not be measured.',
  clientLacks:
    'A tool of the target needed a capability that this client does not have. This says nothing about the server.',
  modelUnpriced:
    'Credits are limited here, and a model of this session has no price; the operator can add one.',
};

export function messageOfEnd(errorCode: AttemptErrorCode, cause?: AttemptEndCause): string {
  return cause === undefined ? attemptEnds[errorCode].message : causes[cause];
}

/**
 * If the client lacks a capability that a tool needs, the attempt counts as a failed set-up. The
 * server is then not blamed at any stage.
 */
export function evidenceOfEnd({
  errorCode,
  cause,
}: {
  readonly errorCode: AttemptErrorCode;
  readonly cause?: AttemptEndCause;
}): AttemptEnd['evidence'] {
  return cause === 'clientLacks' ? { status: 'setup_failed' } : attemptEnds[errorCode].evidence;
}

export const attemptEnds: Readonly<Record<AttemptErrorCode, AttemptEnd>> = {
  server_unreachable: {
    status: 'failed',
    message: 'A server of the target could not be opened, or did not list its tools.',
    evidence: { status: 'setup_failed' },
  },
  oauth_required: {
    status: 'failed',
    message: 'A server of the target requires OAuth, but it has no grant.',
    evidence: { status: 'setup_failed' },
  },
  blocked_by_policy: {
    status: 'failed',
    message: 'A call was not allowed, or needed an approval that no person could give.',
    evidence: { status: 'failed', blockedByPolicy: true },
  },
  rate_limited: {
    status: 'rate_limited',
    message: 'The model provider of the assistant limits the requests of this target.',
    evidence: { status: 'failed', providerError: true },
  },
  provider_failed: {
    status: 'failed',
    message: 'The model provider of the assistant failed.',
    evidence: { status: 'failed', providerError: true },
  },
  persona_driver_failed: {
    status: 'failed',
    message:
      'The model that plays the user failed or gave no usable answer. This says nothing about the server.',
    evidence: { status: 'failed', evaluatorError: true },
  },
  spend_cap_exceeded: {
    status: 'rate_limited',
    message: 'The credits of the organization were used up.',
    evidence: stopped,
  },
  session_timeout: {
    status: 'failed',
    message: 'The session, or one of its turns, exceeded its time limit.',
    evidence: timedOut,
  },
  canceled: { status: 'failed', message: 'The run was canceled.', evidence: stopped },
  run_timeout: {
    status: 'failed',
    message: 'The run reached its time limit before this session ended.',
    evidence: timedOut,
  },
  stale_runner: {
    status: 'failed',
    message: 'The run reached its time limit, and no worker had worked on it for a while.',
    evidence: timedOut,
  },
  runner_failed: {
    status: 'failed',
    message:
      'Proofmark started this session several times and could not complete it. This says nothing about the server.',
    evidence: { status: 'failed' },
  },
};
