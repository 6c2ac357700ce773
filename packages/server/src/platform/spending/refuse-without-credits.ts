import { modelUnpriced, outOfCredits, runOutOfCredits } from '@proofmark/domain';
import type { Sql } from '../database/database.ts';
import { readSpentToday } from './store/daily-counters.ts';
import { readRunCredits } from './store/run-credits.ts';

/**
 * Rejects a start if today's credits are used up. Also rejects a start with a model that has no
 * price, since its cost could not be counted.
 */
export async function refuseWithoutCredits(
  sql: Sql,
  organizationId: string,
  creditsPerDay: number | null,
  unpriced: readonly string[],
  /** The worst-case credits of the cheapest call that the start would make. */
  cheapestCall = 0,
): Promise<void> {
  if (creditsPerDay === null) return;
  const [model] = unpriced;
  if (model !== undefined) throw modelUnpriced(model);
  // Credits that running steps have reserved are ignored, since they are usually released.
  const spent = await readSpentToday(sql, organizationId);
  if (spent >= creditsPerDay || spent + cheapestCall > creditsPerDay) {
    throw outOfCredits(creditsPerDay, spent);
  }
}

export function refuseUnpriced(maxCredits: number | undefined, unpriced: readonly string[]): void {
  const [model] = unpriced;
  if (maxCredits !== undefined && model !== undefined) throw modelUnpriced(model);
}

/**
 * Rejects a later request about a run, such as a judgement, if the run has used up its credit
 * limit. The cost of the request would count towards that limit.
 */
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
