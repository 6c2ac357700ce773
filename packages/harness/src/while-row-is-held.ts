/**
 * Locks a row until five requests wait for it, then releases it. So the requests run concurrently.
 */
import type { TestService } from './test-service.ts';
import { untilWaiting } from './until-waiting.ts';

export async function whileRowIsHeld<Result>(
  service: TestService,
  row: { readonly table: string; readonly id: string },
  start: () => Promise<Result>,
): Promise<Result> {
  const { going } = await service.owner.transaction(async (sql) => {
    await sql`select 1 from ${sql(row.table)} where id = ${row.id} for update`;
    const started = start();
    await untilWaiting(sql, 5);
    // The promise is wrapped in an object, so that it is not awaited before the commit. Its
    // requests wait for the commit, so awaiting it here would deadlock.
    return { going: started };
  });
  return going;
}
