/**
 * Grades the trial of a scenario.
 *
 * - A server that was not reached, or that refuses our credentials or calls, is a matter of the
 *   set-up; the trial is not graded.
 * - A scenario that ended with an exception after the server had answered has failed: the suite
 *   could not go on with that answer.
 * - A suite that gave no result, or ran out of time while no answer of the server was pending, says
 *   nothing about the server.
 */

import type { SetupSignal, TrialEvidence } from '../chain/trial-evidence.ts';
import { isRefusal } from '../trials/attribute-failure.ts';
import type { TaskVerdict, TrialStatus } from '../verdict/decision.ts';
import { conformanceCheckType } from './conformance-check-type.ts';
import { leftOut, nothingChecked, notScoredSentence } from './not-counted.ts';
import type { PlannedScenario } from './planned-scenario.ts';
import {
  type ConformanceCheck,
  type DecidedScenario,
  decideScenario,
  type ScenarioOutcome,
} from './scenario-outcome.ts';

export type ScenarioEnd =
  | { readonly kind: 'checked'; readonly checks: readonly ConformanceCheck[] }
  /** The suite stopped the scenario with an error. */
  | { readonly kind: 'threw'; readonly message: string }
  /** The suite was ended, because it took too long. */
  | { readonly kind: 'overtime' }
  /** The suite itself could not be run. */
  | { readonly kind: 'broken'; readonly message: string };

/** What happened between the suite and the server. */
export interface SeenExchange {
  /** The HTTP statuses of the server's answers, each once. */
  readonly statuses: readonly number[];
  /** Whether the server asked to wait: status 429, or 503 with a Retry-After header. */
  readonly askedToWait: boolean;
  /** How many calls the server had not finished answering when the suite ended. */
  readonly unfinishedCalls: number;
  /** The first request that got no answer. */
  readonly failure?: { readonly message: string; readonly signal: SetupSignal };
}

export interface GradedScenario {
  readonly status: Extract<
    TrialStatus,
    'completed' | 'setup_failed' | 'timed_out' | 'skipped' | 'failed'
  >;
  readonly result: TaskVerdict | null;
  readonly evaluatorError: boolean;
  readonly error: string | null;
  readonly outcome: ScenarioOutcome;
  readonly reasons: readonly string[];
  /** Why there is no answer. */
  readonly unanswered?: string;
  readonly evidence: TrialEvidence;
}

export function gradeScenario(
  planned: PlannedScenario,
  end: ScenarioEnd | undefined,
  seen: SeenExchange,
  hasBaseline: boolean,
): GradedScenario {
  if (end === undefined || planned.isLeftOut) return ungraded(leftOut);
  const given = withoutAnswer(end, seen);
  if ('status' in given) return planned.isScored ? given : notCounted(given);
  const decided = decideScenario(given.checks, { ...planned, hasBaseline });
  if (decided.outcome === 'notScored') return ungraded(notScoredSentence(decided), decided);
  if (decided.outcome === 'skipped') return ungraded(nothingChecked, decided);
  const hasFailed = decided.outcome === 'failed';
  if (hasFailed && isRefused(seen)) return refused(seen);
  return graded(decided, hasFailed || decided.outcome === 'stale' ? 'failed' : 'passed');
}

/** A scenario that is not scored must not leave the run without a verdict. */
function notCounted({ error, unanswered = '' }: GradedScenario): GradedScenario {
  const reasons = error === null ? [] : [error];
  const decided = { outcome: 'notScored', reasons } as const;
  return { ...ungraded(notScoredSentence(decided), decided), unanswered };
}

/** Returns the checks, or the grade of a trial that has no answer. */
function withoutAnswer(
  end: ScenarioEnd,
  { statuses, failure, unfinishedCalls }: SeenExchange,
): GradedScenario | { readonly checks: readonly ConformanceCheck[] } {
  if (statuses.length === 0 && failure !== undefined) return notReached(failure);
  switch (end.kind) {
    case 'broken':
      return broken(end.message, statuses.length > 0);
    case 'overtime':
      return overtime();
    case 'threw':
      return { checks: [thrown(end.message)] };
    case 'checked': {
      const isLate = end.checks.some(({ id }) => id === timeoutCheck);
      return isLate && unfinishedCalls === 0 ? overtime() : { checks: end.checks };
    }
  }
}

const timeoutCheck = 'scenario-timeout';

function thrown(message: string): ConformanceCheck {
  return { id: 'scenario', status: 'FAILURE', message: `The suite could not finish: ${message}` };
}

function isRefused({ statuses, askedToWait }: SeenExchange): boolean {
  // 403 is a right answer to a forged Host header.
  return askedToWait || statuses.some((status) => status !== 403 && isRefusal({ status }));
}

function graded(decided: DecidedScenario, result: TaskVerdict): GradedScenario {
  const held = { type: conformanceCheckType, passed: true };
  const broken = decided.reasons.map((one) => ({ ...held, passed: false, reason: one }));
  const assertions = result === 'passed' ? [held] : broken;
  return {
    ...decided,
    status: 'completed',
    result,
    evaluatorError: false,
    error: null,
    evidence: { ...evidence, status: 'completed', connect: { ok: true }, assertions },
  };
}

function ungraded(error: string, decided?: DecidedScenario): GradedScenario {
  return {
    outcome: decided?.outcome ?? 'skipped',
    reasons: decided?.reasons ?? [],
    status: 'skipped',
    result: null,
    evaluatorError: false,
    error,
    // Nothing went wrong, so no part of the set-up is blamed.
    evidence: { ...evidence, status: 'skipped', diverged: true },
  };
}

function notReached({ message, signal }: NonNullable<SeenExchange['failure']>): GradedScenario {
  return {
    ...unanswered(message),
    status: 'setup_failed',
    evidence: { ...evidence, status: 'setup_failed', tracePresent: false, connect: signal },
  };
}

function refused({ statuses, askedToWait }: SeenExchange): GradedScenario {
  const message = askedToWait
    ? 'The server asked Proofmark to wait with further calls; run the suite again when it accepts them.'
    : `The server refused the credentials (HTTP ${statuses.find((status) => isRefusal({ status }))}); correct the headers or the OAuth grant of the saved server.`;
  const connect = { ok: true } as const;
  return {
    ...unanswered(message),
    status: 'setup_failed',
    evidence: { ...evidence, status: 'setup_failed', tracePresent: false, connect },
  };
}

function overtime(): GradedScenario {
  return {
    ...unanswered(
      'The scenario took too long, and this is not known to be the fault of the server.',
    ),
    status: 'timed_out',
    evidence: { ...evidence, status: 'timed_out' },
  };
}

function broken(message: string, wasReached: boolean): GradedScenario {
  const sentence = `The conformance suite gave no result, which says nothing about the server: ${message}`;
  return {
    ...unanswered(sentence),
    status: 'completed',
    evaluatorError: true,
    evidence: {
      ...evidence,
      status: 'completed',
      evaluatorError: true,
      ...(wasReached && { connect: { ok: true } }),
      assertions: [{ type: conformanceCheckType, passed: false, unanswered: true }],
    },
  };
}

function unanswered(message: string) {
  return {
    outcome: 'skipped',
    reasons: [],
    result: null,
    evaluatorError: false,
    error: message,
    unanswered: message,
  } as const;
}

const evidence: Omit<TrialEvidence, 'status'> = {
  authored: {
    hasPrompt: false,
    expectsToolCall: false,
    isNegativeTest: false,
    hasAssertion: false,
    hasExpectedOutput: false,
    assertsWidget: false,
    assertedStages: ['response'],
  },
  tracePresent: true,
  executorEmitsSpans: false,
  spans: [],
  turns: [],
  assertions: [],
  toolErrors: [],
  renders: [],
};
