import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { startSilentProxy } from '@proofmark/harness/silent-proxy.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { defaultPlaceTimes, LimitShares } from './limit-shares.ts';
import { deleteOldShares } from './store/share-places.ts';

let store: TestDatabase;
const open: LimitShares[] = [];
const never = new AbortController().signal;
setMaxListeners(0, never);
const times = { ...defaultPlaceTimes, prolongEveryMs: 40, askEveryMs: 20, turnMs: 60, idleMs: 100 };
beforeAll(async () => {
  store = await createTestDatabase();
});
afterEach(async () => {
  for (const places of open.splice(0)) await places.close();
});
afterAll(() => store.drop());

function places() {
  return start(store.database, {});
}

function start(
  database: ConstructorParameters<typeof LimitShares>[0],
  more: Partial<typeof times>,
): LimitShares {
  const made = new LimitShares(database, { warn: () => undefined }, { ...times, ...more });
  open.push(made);
  return made;
}

class Calls {
  readonly #ends: (() => void)[] = [];
  underWay = 0;
  most = 0;
  readonly begunBy = new Map<LimitShares, number>();

  begin(by: LimitShares, target: string, bound: number, signal = never): Promise<void> {
    return by.run(target, bound, signal, async () => {
      this.underWay += 1;
      this.most = Math.max(this.most, this.underWay);
      this.begunBy.set(by, (this.begunBy.get(by) ?? 0) + 1);
      await new Promise<void>((resolve) => this.#ends.push(resolve));
      this.underWay -= 1;
    });
  }

  end(count = this.#ends.length): void {
    for (const end of this.#ends.splice(0, count)) end();
  }
}

const shares = (target: string) => store.owner.sql<{ places: number }[]>`
  select places from limit_shares where target = ${target} order by places`;

test('alone, a process holds all places after one question, and gives them back when idle', async () => {
  let asked = 0;
  const sql = ((...parts: Parameters<typeof store.database.sql>) => {
    asked += 1;
    return store.database.leases.sql(...parts);
  }) as typeof store.database.sql;
  const alone = start(
    { leases: { ...store.database.leases, sql } },
    { prolongEveryMs: 60_000, idleMs: 60_000 },
  );
  for (let number = 0; number < 50; number += 1) await alone.run('alone', 4, never, async () => 1);
  expect([asked, await shares('alone')]).toEqual([1, [{ places: 4 }]]);
  const idle = places();
  await idle.run('idle', 4, never, async () => 1);
  expect(await shares('idle')).toEqual([{ places: 4 }]);
  await vi.waitUntil(async () => (await shares('idle')).length === 0, { timeout: 5000 });
});

test('two together have as many calls under way as the bound allows, half of them each, and never more', async () => {
  const calls = new Calls();
  const leaving = new AbortController();
  const loop = (by: LimitShares) =>
    Array.from({ length: 6 }, async () => {
      while (!leaving.signal.aborted) await calls.begin(by, 'both', 4);
    });
  const ending = setInterval(() => calls.end(1), 5);
  const first = loop(places());
  await vi.waitUntil(() => calls.underWay === 4, { timeout: 5000 });
  const second = loop(places());
  const areEven = async () =>
    JSON.stringify(await shares('both')) === '[{"places":2},{"places":2}]';
  await vi.waitUntil(areEven, { timeout: 5000 });
  await vi.waitUntil(() => calls.underWay === 4, { timeout: 5000 });
  leaving.abort();
  await Promise.all([...first, ...second]);
  clearInterval(ending);
  expect(calls.most).toBe(4);
});

test('more processes than places take turns', async () => {
  const calls = new Calls();
  const all = [places(), places(), places()];
  const waiting = all.flatMap((one) => [1, 2, 3].map(() => calls.begin(one, 'turns', 1)));
  const ending = setInterval(() => calls.end(1), 5);
  await Promise.all(waiting);
  clearInterval(ending);
  expect(calls.most).toBe(1);
});

test('who always has calls leaves places to who waits', async () => {
  const calls = new Calls();
  const [busy, other] = [places(), places()];
  const leaving = new AbortController();
  const loops = [1, 2, 3].map(async () => {
    while (!leaving.signal.aborted) await calls.begin(busy, 'busy', 1);
  });
  const ending = setInterval(() => calls.end(1), 2);
  await vi.waitUntil(() => (calls.begunBy.get(busy) ?? 0) > 3, { timeout: 5000 });
  await calls.begin(other, 'busy', 1);
  leaving.abort();
  await Promise.all(loops);
  clearInterval(ending);
  expect(calls.most).toBe(1);
});

test('places of who fell silent go to others when the lease ends, and it begins nothing until it is heard again', async () => {
  const proxy = await startSilentProxy(() => store.serviceUrl);
  const database = openDatabase({ url: proxy.url, vault: store.vault, as: 'service' });
  const calls = new Calls();
  const short = { leaseMs: 1200, sureMs: 800 };
  const [silent, other] = [start(database, short), start(store.database, short)];
  const held = calls.begin(silent, 'silent', 2);
  await vi.waitUntil(() => calls.underWay === 1, { timeout: 5000 });
  proxy.goSilent();
  const taken = [calls.begin(other, 'silent', 2), calls.begin(other, 'silent', 2)];
  // The call of the silent process continues beside the two new ones. This test has no leases of
  // work, whose loss would abort the call.
  await vi.waitUntil(() => calls.begunBy.get(other) === 2, { timeout: 5000 });
  const late = calls.begin(silent, 'silent', 2);
  await pause(100);
  expect(calls.begunBy.get(silent)).toBe(1);
  proxy.speakAgain();
  calls.end();
  await Promise.all([held, ...taken]);
  await vi.waitUntil(() => calls.begunBy.get(silent) === 2, { timeout: 10_000 });
  calls.end();
  await late;
  await Promise.all(open.splice(0).map((one) => one.close()));
  await database.close();
  await proxy.stop();
});

test('what dead processes left behind is cleared away', async () => {
  await store.owner.sql`
    insert into limit_shares (target, holder, places, wanted, leased_until) values
      ('left', 'old', 2, 1, clock_timestamp() - interval '2 hours'),
      ('left', 'new', 2, 1, clock_timestamp())`;
  expect(await deleteOldShares(store.database)).toBe(1);
});

test('whether others use a target, too, is known by the last answer', async () => {
  const calls = new Calls();
  const [one, other] = [places(), places()];
  const first = calls.begin(one, 'known', 4);
  await vi.waitUntil(() => calls.underWay === 1);
  expect(one.isUsedByOthers('known')).toBe(false);
  const second = calls.begin(other, 'known', 4);
  await vi.waitUntil(() => one.isUsedByOthers('known') && other.isUsedByOthers('known'));
  expect(one.isUsedByOthers('another')).toBe(false);
  await vi.waitUntil(() => calls.underWay === 2);
  calls.end();
  await Promise.all([first, second]);
});
