import { type DailyLimitName, dayUsedUp } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { chargeDay, readDay } from '../../storage/spending/daily-counters.ts';
import type { ProjectContext } from '../action.ts';

/** Counts one more of today's, in the transaction that makes it; refuses when none is left. */
export async function charge(
  { project, spending }: Pick<ProjectContext, 'project' | 'spending'>,
  sql: Sql,
  name: DailyLimitName,
): Promise<void> {
  const { organizationId } = project;
  const allowed = spending.limits[name];
  const { isCharged } = await chargeDay(sql, { organizationId, name, allowed });
  if (isCharged || allowed === null) return;
  const { now, used } = await readDay(sql, organizationId);
  throw dayUsedUp(name, allowed, used.get(name) ?? 0, now.getTime());
}
