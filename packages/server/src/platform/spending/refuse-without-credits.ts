import { modelUnpriced, outOfCredits, runOutOfCredits } from '@proofmark/domain';
import type { Sql } from '../database/database.ts';
import { readSpentToday } from './store/daily-counters.ts';
import { readRunCredits } from './store/run-credits.ts';

/** Rejects a start if the credits of the day are used up, or if its cost could not be counted. */
export async function refuseWithoutCredits(
  sql: Sql,
  organizationId: string,
  creditsPerDay: number | null,
  unpriced: readonly string[],
  /** The worst case of the cheapest call. */
  cheapestCall = 0,
): Promise<void> {
  if (creditsPerDay === null) return;
  const [model] = unpriced;
  if (model !== undefined) throw modelUnpriced(model);
  // Ignores credits reserved for steps under way, which are usually released.
  const spent = await readSpentToday(sql, organizationId);
  if (spent >= creditsPerDay || spent + cheapestCall > creditsPerDay) {
    throw outOfCredits(creditsPerDay, spent);
  }
}

/** Rejects a credit limit for a run whose models have no known price. */
export function refuseUnpriced(maxCredits: number | undefined, unpriced: readonly string[]): void {
  const [model] = unpriced;
  if (maxCredits !== undefined && model !== undefined) throw modelUnpriced(model);
}

/** Rejects a later request about a run with a credit limit, since it counts towards the limit. */
export async function refuseWithoutCreditsOfRun(
  sql: Sql,
  runId: string,
  unpriced: readonly string[],
): Promise<void> {
  const limited = await readRunCredits(sql, runId);
  if (limited === undefined) return;
  refuseUnpriced(limited.maxCredits, unpriced);
  const { maxCredits, used } = limited;
  if (used >= maxCredits) throw runOutOfCredits(maxCredits, used);
}
