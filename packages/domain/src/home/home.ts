import type { SummaryVerdict } from '../verdict/verdict-source.ts';

/**
 * The kinds of decisions in display order: first what blocks tests, then stopped work, ending
 * waivers and undecided runs.
 */
export const homeDecisionKinds = [
  'serverInTrouble',
  'scheduleRefused',
  'waiverEnding',
  'runUndecided',
] as const;
export type HomeDecisionKind = (typeof homeDecisionKinds)[number];

export type RunStanding = 'failing' | 'waived' | 'undecided' | 'settled';

/** A cancelled run counts as settled, since a person decided to cancel it. */
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
/**
 * The warning time before a waiver ends: three days, so that it contains a working day even at a
 * weekend.
 */
export const waiverWarningMs = 3 * dayMs;

/**
 * Returns whether a waiver ends soon. The waived gate then fails although nothing else changed, so
 * a person should decide before.
 */
export function isWaiverEnding(expiresAtMs: number, nowMs: number): boolean {
  return expiresAtMs > nowMs && expiresAtMs - nowMs <= waiverWarningMs;
}

/** Sorts decisions by kind. Within a kind, the nearest deadline or the latest event comes first. */
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
 * Returns whether the person has no server and no suite except those created at the first start.
 * The next step is then to add a server.
 */
export function isFirstStart(own: { readonly servers: number; readonly suites: number }): boolean {
  return own.servers === 0 && own.suites === 0;
}
