import { modelUnpriced, outOfCredits, runOutOfCredits } from '@proofmark/domain';
import type { Sql } from '../database/database.ts';
import { readSpentToday } from './store/daily-counters.ts';
import { readRunCredits } from './store/run-credits.ts';

/** Refuses what would begin although the credits of the day are used up, or could not be counted. */
export async function refuseWithoutCredits(
  sql: Sql,
  organizationId: string,
  creditsPerDay: number | null,
  unpriced: readonly string[],
  /** What its cheapest call of a model may cost. */
  cheapestCall = 0,
): Promise<void> {
  if (creditsPerDay === null) return;
  const [model] = unpriced;
  if (model !== undefined) throw modelUnpriced(model);
  // Without what is set aside for steps under way, which mostly comes back.
  const spent = await readSpentToday(sql, organizationId);
  if (spent >= creditsPerDay || spent + cheapestCall > creditsPerDay) {
    throw outOfCredits(creditsPerDay, spent);
  }
}

/** What a run may spend cannot be limited where nobody knows what its models cost. */
export function refuseUnpriced(maxCredits: number | undefined, unpriced: readonly string[]): void {
  const [model] = unpriced;
  if (maxCredits !== undefined && model !== undefined) throw modelUnpriced(model);
}

/** What is asked of a run later counts for it, too. */
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
