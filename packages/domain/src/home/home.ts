/** What a person who signs in is shown first: what is red, and what waits for a decision of theirs. */
import type { SummaryVerdict } from '../verdict/verdict-source.ts';

/** In the order in which they are told: what stops every test, then what runs no more, what ends, what was not decided. */
export const homeDecisionKinds = [
  'serverInTrouble',
  'scheduleRefused',
  'waiverEnding',
  'runUndecided',
] as const;
export type HomeDecisionKind = (typeof homeDecisionKinds)[number];

export type RunStanding = 'failing' | 'waived' | 'undecided' | 'settled';

/** How the latest run of a suite stands. Who cancelled a run has decided about it. */
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
/** A working day is left, also over a weekend. */
export const waiverWarningMs = 3 * dayMs;

/** A waiver that ends soon turns its gate red by itself, so somebody should decide before. */
export function isWaiverEnding(expiresAtMs: number, nowMs: number): boolean {
  return expiresAtMs > nowMs && expiresAtMs - nowMs <= waiverWarningMs;
}

/** By kind, and within a kind the one that has least time or happened last. */
export function orderDecisions<
  Decision extends { readonly kind: HomeDecisionKind; readonly at: number },
>(decisions: readonly Decision[]): Decision[] {
  const rank = ({ kind }: Decision) => homeDecisionKinds.indexOf(kind);
  const time = ({ kind, at }: Decision) => (kind === 'waiverEnding' ? at : -at);
  return [...decisions].sort(
    (one, other) => rank(one) - rank(other) || time(one) - time(other) || 0,
  );
}

/** Whether nothing is there yet but what the first start made: the next step is a server of one's own. */
export function isFirstStart(own: { readonly servers: number; readonly suites: number }): boolean {
  return own.servers === 0 && own.suites === 0;
}
