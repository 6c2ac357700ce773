import { type DailyLimitName, dayUsedUp } from '@proofmark/domain';
import type { Sql } from '../database/database.ts';
import type { ProjectContext } from '../operations/action.ts';
import type { SpendingParts } from './spending-parts.ts';
import { chargeDay, dayOf, giveBackOfDay, readDay } from './store/daily-counters.ts';

/**
 * Counts one more use today, in the transaction that creates the counted object. Rejects if today's
 * limit is reached.
 */
export async function charge(
  { project, spending }: Pick<ProjectContext, 'project'> & SpendingParts,
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

/**
 * Counts one more use today, before paid work starts, so that concurrent requests cannot exceed the
 * limit. The caller must call `giveBack` if the work did not start; it takes the use back from the
 * day on which it was counted.
 */
export async function checkDailyUse(
  context: Pick<ProjectContext, 'project' | 'tenant'> & SpendingParts,
  name: DailyLimitName,
): Promise<{ giveBack(): Promise<void> }> {
  const { organizationId } = context.project;
  const day = await context.tenant(async (sql) => {
    await charge(context, sql, name);
    return dayOf(sql);
  });
  return { giveBack: () => context.tenant((sql) => giveBackOfDay(sql, organizationId, name, day)) };
}

/**
 * Rejects early if today's limit is already reached. This check is not binding: the later charge
 * decides.
 */
export async function rejectWhenUsedUp(
  { project, spending }: Pick<ProjectContext, 'project'> & SpendingParts,
  sql: Sql,
  name: DailyLimitName,
): Promise<void> {
  const allowed = spending.limits[name];
  if (allowed === null) return;
  const { now, used } = await readDay(sql, project.organizationId);
  const current = used.get(name) ?? 0;
  if (current >= allowed) throw dayUsedUp(name, allowed, current, now.getTime());
}
