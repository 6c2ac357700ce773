import { holdSlice } from '@proofmark/harness/hold-slice.ts';
import { insertLaunchedRun } from '@proofmark/harness/launched-run.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeTrialUpdates } from '../../../features/evals/store/record-trials.ts';
import { createOperator } from '../../../main/operator.ts';
import type { ClaimedWork } from './leased-work.ts';
import { standingLeases } from './standing-leases.ts';

let service: TestDatabase;
let tenant: { readonly organizationId: string; readonly projectId: string };
beforeAll(async () => {
  service = await createTestDatabase();
  tenant = await createOperator(service.owner, '').bootstrap({
    email: 'owner@sliced.example',
    organization: 'Sliced',
  });
});
afterAll(() => service.drop());

function inTenant<Result>(work: Parameters<typeof service.database.tenant<Result>>[1]) {
  return service.database.tenant([tenant.organizationId], work);
}

async function claimTwo(): Promise<readonly [ClaimedWork, ClaimedWork]> {
  const { runId } = await insertLaunchedRun(service, tenant, {
    cases: 2,
    repetitions: 1,
    atOnce: 2,
  });
  return [await holdSlice(service, runId), await holdSlice(service, runId)];
}

test('leases are prolonged while somebody holds the slices of another run; those stand for now', async () => {
  const [ending] = await claimTwo();
  const [first, second] = await claimTwo();
  const outcomes = await service.owner.transaction(async (sql) => {
    await sql`select from leased_work where group_id = ${ending.groupId} for update`;
    await sql`set local lock_timeout = '5s'`;
    return standingLeases(service.database, [second, ending, first], 6000);
  });
  expect(outcomes).toEqual(
    new Map([
      [first.lease, true],
      [second.lease, true],
      [ending.lease, false],
    ]),
  );
  expect(await standingLeases(service.database, [ending], 6000)).toEqual(
    new Map([[ending.lease, true]]),
  );
});

test('a lease that was taken back does not stand, whether or not leases are prolonged', async () => {
  const [first, second] = await claimTwo();
  await service.owner.sql`
    update leased_work set lease = nextval('work_leases') where lease = ${first.lease}::bigint`;
  await service.owner.sql`
    update leased_work set leased_until = now() - interval '1 second' where lease = ${second.lease}::bigint`;
  for (const prolong of [6000, undefined]) {
    expect(await standingLeases(service.database, [first, second], prolong)).toEqual(new Map());
  }
});

test('updates told in any order of slices are written beside somebody who locks slices in theirs', async () => {
  const [first, second] = await claimTwo();
  const updates = [second, first].map((held) => ({ held, begins: held.firstItem }));
  const { writing } = await service.owner.transaction(async (sql) => {
    const lock = ({ lease }: ClaimedWork) =>
      sql`select from leased_work where lease = ${lease}::bigint for no key update`;
    await lock(first);
    const going = inTenant((own) =>
      writeTrialUpdates(own, { ...tenant, runId: first.groupId }, updates),
    ).catch((error: unknown) => error);
    const waiting = new Promise((resolve) => setTimeout(resolve, 500));
    await Promise.race([going, waiting]);
    await lock(second);
    return { writing: going };
  });
  expect(await writing).toEqual([true, true]);
});
