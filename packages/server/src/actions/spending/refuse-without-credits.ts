import { modelUnpriced, outOfCredits } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { readSpentToday } from '../../storage/spending/daily-counters.ts';

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
