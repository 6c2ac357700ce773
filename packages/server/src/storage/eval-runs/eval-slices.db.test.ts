/** Leases of slices beside somebody who holds locks: nobody waits for another run, and nobody waits in a circle. */

import { insertLaunchedRun } from '@proofmark/harness/launched-run.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperator } from '../../main/operator.ts';
import { type ClaimedSlice, claimSlice, leaseName, standingLeases } from './eval-slices.ts';
import { writeTrialNews } from './record-trials.ts';

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

/** Two slices of a run of their own, held. */
async function claimTwo(): Promise<readonly [ClaimedSlice, ClaimedSlice]> {
  const { runId } = await insertLaunchedRun(service, tenant, {
    ...{ cases: 2, repetitions: 1, lanes: 2 },
  });
  const claim = () => inTenant((sql) => claimSlice(sql, tenant.organizationId, runId));
  const [first, second] = [await claim(), await claim()];
  if (first === undefined || second === undefined) throw new Error('There are not two slices.');
  return [first, second];
}

test('leases are prolonged while somebody holds the slices of another run; those stand for now', async () => {
  const [ending] = await claimTwo();
  const [first, second] = await claimTwo();
  const told = await service.owner.transaction(async (sql) => {
    await sql`select from eval_slices where run_id = ${ending.runId} for update`;
    await sql`set local lock_timeout = '5s'`;
    return standingLeases(service.database, [second, ending, first], true);
  });
  expect(told).toEqual(
    new Map([
      [leaseName(first), true],
      [leaseName(second), true],
      [leaseName(ending), false],
    ]),
  );
  expect(await standingLeases(service.database, [ending], true)).toEqual(
    new Map([[leaseName(ending), true]]),
  );
});

test('a lease that was taken back does not stand, whether or not leases are prolonged', async () => {
  const [first, second] = await claimTwo();
  await service.owner.sql`
    update eval_slices set lease = lease + 1 where run_id = ${first.runId} and slice = ${first.slice}`;
  await service.owner.sql`
    update eval_slices set leased_until = now() - interval '1 second'
    where run_id = ${second.runId} and slice = ${second.slice}`;
  for (const prolong of [true, false]) {
    expect(await standingLeases(service.database, [first, second], prolong)).toEqual(new Map());
  }
});

test('news told in any order of slices is written beside somebody who locks slices in theirs', async () => {
  const [first, second] = await claimTwo();
  const news = [second, first].map((held) => ({ held, begins: held.firstOrdinal }));
  const { writing } = await service.owner.transaction(async (sql) => {
    const lock = ({ runId, slice }: ClaimedSlice) =>
      sql`select from eval_slices where run_id = ${runId} and slice = ${slice} for no key update`;
    await lock(first);
    const going = inTenant((own) =>
      writeTrialNews(own, first.runId, tenant.organizationId, news),
    ).catch((error: unknown) => error);
    const waiting = new Promise((resolve) => setTimeout(resolve, 500));
    await Promise.race([going, waiting]);
    await lock(second);
    return { writing: going };
  });
  expect(await writing).toEqual([true, true]);
});
