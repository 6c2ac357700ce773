import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Database } from '../storage/database/database.ts';
import { LeaseKeeper, LeaseLost } from './lease-keeper.ts';

const held = { organizationId: 'org_1', runId: 'run_1', slice: 1, lease: 1 };
/** Says of every lease that it stands. */
const database = {
  tenant: async () => [{ runId: 'run_1', slice: 1, lease: 1, isProlonged: true }],
} as unknown as Database;

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test.each([
  ['for long gives up its leases before a deadline of its own is heard', 2600, true],
  ['for a moment keeps them', 600, false],
])('a process that stood still %s', async (_, standstillMs, isGivenUp) => {
  const lease = new LeaseKeeper(database).hold(held);
  let wasGivenUpFirst: boolean | undefined;
  const deadline = after(500).then(() => {
    wasGivenUpFirst = lease.signal.aborted;
  });
  standStill(standstillMs);
  await deadline;
  expect(wasGivenUpFirst).toBe(isGivenUp);
  if (isGivenUp) {
    expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
    expect(lease.signal.reason.wasAway).toBe(true);
  }
  lease.drop();
});
