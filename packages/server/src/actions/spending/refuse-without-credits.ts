import { modelUnpriced, outOfCredits } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { readCreditsOfToday, readSpentToday } from '../../storage/spending/daily-counters.ts';

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
  const used = await readCreditsOfToday(sql, organizationId);
  if (used >= creditsPerDay) throw outOfCredits(creditsPerDay, used);
  const spent = await readSpentToday(sql, organizationId);
  if (spent + cheapestCall > creditsPerDay) throw outOfCredits(creditsPerDay, spent);
}
