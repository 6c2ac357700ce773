/**
 * The states of a request for insights. Each run, wave or window has one stored row with a
 * generation number. A release keeps that number, so a worker of an older generation can never
 * write.
 */
import type { Refusal } from '../kernel/refusal.ts';

export const insightScopeKinds = ['eval_run', 'swarm_wave', 'user_testing_window'] as const;
export type InsightScopeKind = (typeof insightScopeKinds)[number];

/** The states. `none`: nothing was requested, or the request was released. */
export const insightStates = ['none', 'pending', 'completed', 'failed'] as const;
export type InsightState = (typeof insightStates)[number];

export const insightEvents = ['asked', 'askedByForce', 'released', 'narrated', 'broken'] as const;
export type InsightEvent = (typeof insightEvents)[number];

export interface InsightStep {
  readonly to: InsightState;
  /** True if a new generation begins. Each generation is charged. */
  readonly begins: boolean;
  readonly outcome:
    | 'begun'
    /** Insights exist or are pending, and are returned. */
    | 'reused'
    | 'released'
    | 'ended'
    /** The event changes nothing and is not an error. */
    | 'unchanged'
    | 'notPending'
    | 'neverAsked';
}

const begun: InsightStep = { to: 'pending', begins: true, outcome: 'begun' };

/**
 * Returns the effect of an event on a request. `narrated` and `broken` refer to the pending
 * generation; callers must reject other generations first.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of states and events, one case for each event.
export function stepOfInsights(
  kind: InsightScopeKind,
  from: InsightState,
  event: InsightEvent,
): InsightStep {
  const stay = (outcome: InsightStep['outcome']): InsightStep => ({
    to: from,
    begins: false,
    outcome,
  });
  switch (event) {
    case 'askedByForce':
      return begun;
    case 'asked':
      return from === 'none' || from === 'failed' ? begun : stay('reused');
    case 'narrated':
    case 'broken':
      if (from !== 'pending') return stay('unchanged');
      return {
        to: event === 'narrated' ? 'completed' : 'failed',
        begins: false,
        outcome: 'ended',
      };
    case 'released':
      // A request for a run's insights cannot be released.
      if (kind === 'eval_run') return stay('notPending');
      if (from === 'pending') return { to: 'none', begins: false, outcome: 'released' };
      if (kind === 'swarm_wave') return stay('notPending');
      return stay(from === 'none' ? 'neverAsked' : 'unchanged');
  }
}

export function scopeNotReady(kind: InsightScopeKind): Refusal {
  const [reason, message] = notReady[kind];
  return { code: 'CONFLICT', message, details: { reason } };
}

const notReady: Readonly<Record<InsightScopeKind, readonly [string, string]>> = {
  eval_run: ['RUN_NOT_TERMINAL', 'This run has not ended yet; ask for insights when it has.'],
  swarm_wave: ['WAVE_NOT_TERMINAL', 'This wave has not ended yet; ask for insights when it has.'],
  user_testing_window: [
    'WINDOW_NOT_ANALYZED',
    'This window has not been analyzed yet; ask for insights when it has.',
  ],
};

export const insightErrors = {
  provider_error: 'The request to the model failed.',
  provider_rate_limited: 'The provider of the model accepts no more requests for now.',
  invalid_output: 'The model answered in the wrong format twice.',
  generation_timeout: 'The work showed no progress for 5 minutes.',
  over_budget: 'The remaining credits of today do not cover the request.',
  input_unreadable: 'The recorded data cannot be read.',
} as const;
export type InsightErrorCode = keyof typeof insightErrors;

export function isRetryable(code: InsightErrorCode): boolean {
  return code !== 'input_unreadable';
}
