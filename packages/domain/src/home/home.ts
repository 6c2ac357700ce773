/** The first page after sign-in: failing suites, and decisions that wait for the person. */
import type { SummaryVerdict } from '../verdict/verdict-source.ts';

/** In display order: blocked tests, then stopped work, then ending waivers, then undecided runs. */
export const homeDecisionKinds = [
  'serverInTrouble',
  'scheduleRefused',
  'waiverEnding',
  'runUndecided',
] as const;
export type HomeDecisionKind = (typeof homeDecisionKinds)[number];

export type RunStanding = 'failing' | 'waived' | 'undecided' | 'settled';

/**
 * Returns the state of a suite's latest run. A cancelled run counts as settled: a person decided to
 * cancel it.
 */
export function standingOfRun(run: {
  readonly verdict: SummaryVerdict;
  readonly status: string;
  readonly isWaived: boolean;
}): RunStanding {
  if (run.verdict === 'failed') return run.isWaived ? 'waived' : 'failing';
  if (run.verdict === 'passed' || run.status === 'cancelled') return 'settled';
  return 'undecided';
}

const dayMs = 86_400_000;
/** Long enough to contain a working day, also over a weekend. */
export const waiverWarningMs = 3 * dayMs;

/**
 * Whether a waiver ends soon. Its gate then fails without any change, so a person should decide
 * before.
 */
export function isWaiverEnding(expiresAtMs: number, nowMs: number): boolean {
  return expiresAtMs > nowMs && expiresAtMs - nowMs <= waiverWarningMs;
}

/** Sorts by kind; within a kind, the nearest deadline or the latest event comes first. */
export function orderDecisions<
  Decision extends { readonly kind: HomeDecisionKind; readonly at: number },
>(decisions: readonly Decision[]): Decision[] {
  const rank = ({ kind }: Decision) => homeDecisionKinds.indexOf(kind);
  const time = ({ kind, at }: Decision) => (kind === 'waiverEnding' ? at : -at);
  return [...decisions].sort(
    (one, other) => rank(one) - rank(other) || time(one) - time(other) || 0,
  );
}

/**
 * Whether the installation contains only the data of its first start, so that the next step is to
 * add a server.
 */
export function isFirstStart(own: { readonly servers: number; readonly suites: number }): boolean {
  return own.servers === 0 && own.suites === 0;
}
