import { setTimeout as after } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Database } from '../database/database.ts';
import { LeaseKeeper, LeaseLost } from './lease-keeper.ts';
import { defaultLeaseTimes } from './lease-times.ts';

const held = { kind: 'any', organizationId: 'org_1', groupId: 'one', number: 1, lease: '1' };
const database = {
  tenant: async () => [{ lease: '1', isProlonged: true }],
} as unknown as Database;
const quick = {
  ...defaultLeaseTimes,
  leaseMs: 600,
  prolongEveryMs: 100,
  lookEveryMs: 50,
  beatEveryMs: 25,
};

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test.each([
  ['for long gives up its leases before a deadline of its own is heard', 2600, true],
  ['for a moment keeps them', 600, false],
])('a process that stood still %s', async (_, standstillMs, isGivenUp) => {
  const lease = new LeaseKeeper(database).hold(held, performance.now());
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

test('a lease is given up before another may take it when the database never answers', async () => {
  const silent = { tenant: () => new Promise(() => undefined) } as unknown as Database;
  const lease = new LeaseKeeper(silent, quick).hold(held, performance.now());
  await after(quick.leaseMs);
  expect(lease.signal.aborted).toBe(true);
  expect(lease.signal.reason).toMatchObject({ wasAway: true });
  lease.drop();
});

test('a question that never comes back keeps nobody from asking the next', async () => {
  let asked = 0;
  const once = {
    tenant: () => {
      asked += 1;
      return asked === 1
        ? new Promise(() => undefined)
        : database.tenant([], async () => undefined);
    },
  } as unknown as Database;
  const lease = new LeaseKeeper(once, quick).hold(held, performance.now());
  await vi.waitUntil(() => asked > 6, { timeout: 5000 });
  expect(lease.signal.aborted).toBe(false);
  lease.drop();
});

test('a lease that could not be prolonged because of a lock is prolonged with the next look', async () => {
  const prolonged: boolean[] = [];
  const locked = {
    tenant: async () => {
      prolonged.push(prolonged.length % 3 === 2);
      return [{ lease: '1', isProlonged: prolonged.at(-1) }];
    },
  } as unknown as Database;
  const lease = new LeaseKeeper(locked, quick).hold(held, performance.now());
  await after(2 * quick.leaseMs);
  expect(lease.signal.aborted).toBe(false);
  lease.drop();
});
