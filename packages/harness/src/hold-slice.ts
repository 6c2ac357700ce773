/** Claims the next open slice (a batch of trials) of one run as a worker would. */
import { trialsWork } from '../../server/src/features/evals/store/run-work.ts';
import type { ClaimedWork } from '../../server/src/platform/work/store/leased-work.ts';
import type { TestDatabase } from './test-database.ts';

export async function holdSlice(
  { owner }: Pick<TestDatabase, 'owner'>,
  runId: string,
): Promise<ClaimedWork> {
  const [row] = await owner.sql<Omit<ClaimedWork, 'kind'>[]>`
    update leased_work work set status = 'leased', lease = nextval('work_leases'), attempt_cost = work.attempt_cost + 5,
      leased_until = clock_timestamp() + interval '6 seconds'
    from work_groups grouped
    where grouped.kind = work.kind and grouped.id = work.group_id and work.kind = ${trialsWork}
      and work.group_id = ${runId} and work.number = (
        select min(number) from leased_work where group_id = ${runId} and status = 'open')
    returning work.organization_id, grouped.project_id, work.group_id, work.number, work.lease::text,
      work.first_item, work.last_item, work.attempt_cost`;
  if (row === undefined) throw new Error('The run has no open slice.');
  return { kind: trialsWork, ...row };
}
