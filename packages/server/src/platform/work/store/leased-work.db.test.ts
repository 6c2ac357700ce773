import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOperator } from '../../../main/operator.ts';
import {
  addWork,
  type ClaimedWork,
  claimWork,
  closeWork,
  completeWork,
  countSilentWork,
  type HeldWork,
  holdWork,
  returnFailed,
} from './leased-work.ts';

const kind = 'any';
interface Place {
  readonly organizationId: string;
  readonly projectId: string;
}
let store: TestDatabase;
let places: Place[];
beforeAll(async () => {
  store = await createTestDatabase();
  const operator = createOperator(store.owner, '');
  const bootstrap = (name: string) =>
    operator.bootstrap({ email: `owner@${name}.example`, organization: name });
  places = [await bootstrap('first'), await bootstrap('second'), await bootstrap('third')];
});
beforeEach(async () => {
  await store.owner.sql`delete from work_groups`;
});
afterAll(() => store.drop());

function add(id: string, rows: number, atOnce = 100, place = 0): Promise<void> {
  const at = places[place] as Place;
  const ranges = Array.from({ length: rows }, (_, row) => ({ firstItem: row, lastItem: row }));
  return store.database.tenant([at.organizationId], (sql) =>
    addWork(sql, { kind, id, atOnce, ...at }, ranges),
  );
}

function claim(most = 1, leaseMs = 60_000): Promise<ClaimedWork[]> {
  return claimWork(store.database.sql, kind, most, leaseMs);
}

function inTenant<Result>(
  held: HeldWork,
  work: Parameters<typeof store.database.tenant<Result>>[1],
) {
  return store.database.tenant([held.organizationId], work);
}

function complete(held: HeldWork) {
  return inTenant(held, (sql) => completeWork(sql, held));
}

function names(claimed: readonly ClaimedWork[]): string[] {
  return claimed.map(({ groupId }) => groupId);
}

async function expire({ lease }: HeldWork): Promise<void> {
  await store.owner.sql`
    update leased_work set leased_until = now() - interval '1 second' where lease = ${lease}::bigint`;
}

test('organizations take turns, and the groups of one of them', async () => {
  await add('a1', 20);
  await add('a2', 20);
  await add('b1', 20, 100, 1);
  const claimed = names(await claim(8));
  expect(claimed.filter((name) => name === 'b1')).toHaveLength(4);
  expect(claimed.filter((name) => name === 'a1')).toHaveLength(2);
  expect(claimed.filter((name) => name === 'a2')).toHaveLength(2);
});

test('with one slot they take turns by who waited longest', async () => {
  await add('a1', 20);
  await add('a2', 20);
  await add('b1', 20, 100, 1);
  const turns: string[] = [];
  for (let count = 0; count < 8; count += 1) {
    const [work] = (await claim()) as [ClaimedWork];
    turns.push(work.groupId);
    await complete(work);
  }
  expect(turns.filter((name) => name === 'b1')).toHaveLength(4);
  expect(turns.filter((name) => name === 'a1')).toHaveLength(2);
});

test('what a dead worker held comes before everything that waits, however many groups are open', async () => {
  await add('dead', 3, 3);
  const held = await claim(2);
  const many = Array.from({ length: 300 }, (_, at) => add(`open-${at}`, 5, 8, at % 3));
  await Promise.all(many);
  for (const one of held) await expire(one);
  const [given] = await claim();
  expect(given?.groupId).toBe('dead');
  const again = given as ClaimedWork;
  await inTenant(again, (sql) => returnFailed(sql, again, 0));
  const next = await claim(2);
  expect(names(next)).toEqual(['dead', 'dead']);
  expect(next.map(({ attemptCost }) => attemptCost).sort()).toEqual([10, 15]);
});

test('a claim whose answer was lost is made good by the next of the same claimer, at no cost', async () => {
  await add('one', 5);
  const byName = (name: string, highestLease: string, most: number) =>
    claimWork(store.database.sql, kind, most, 60_000, { name, highestLease, waits: true });
  const claimed = await byName('mine', '0', 2);
  const [other] = (await byName('other', '0', 1)) as [ClaimedWork];
  // The work is given to the claimer again even if its lease has expired, as long as no other
  // worker has claimed it.
  await expire(claimed[1] as ClaimedWork);
  const again = await byName('mine', '0', 3);
  const byNumber = (one: ClaimedWork, next: ClaimedWork) => one.number - next.number;
  expect(again.sort(byNumber).slice(0, 2)).toEqual(claimed.sort(byNumber));
  expect(again.map(({ number, attemptCost }) => [number, attemptCost])).toEqual([
    [1, 5],
    [2, 5],
    [4, 5],
  ]);
  const [next] = (await byName('mine', again[2]?.lease ?? '', 1)) as [ClaimedWork];
  expect([other.number, next.number]).toEqual([3, 5]);
});

test('silent is what somebody could claim: not what is locked, nor while others claim', async () => {
  await add('one', 1);
  const [work] = await claimWork(store.database.sql, kind, 1, 60_000);
  const count = () => countSilentWork(store.database.sql, kind);
  expect(await count()).toBe(0);
  await expire(work as ClaimedWork);
  expect(await count()).toBe(1);
  await store.owner.transaction(async (sql) => {
    await sql`select from leased_work where kind = ${kind} for no key update`;
    expect(await count()).toBe(0);
  });
  await store.owner.transaction(async (sql) => {
    await sql`select pg_advisory_xact_lock(727004, hashtext(${kind}))`;
    expect(await count()).toBe(0);
  });
});

test('what a worker claimed that died at once costs an attempt each time', async () => {
  await add('deadly', 1);
  const costs: number[] = [];
  for (const name of ['first', 'second', 'third']) {
    const claimer = { name, highestLease: '0', waits: true };
    const [work] = await claimWork(store.database.sql, kind, 1, 60_000, claimer);
    costs.push(work?.attemptCost ?? 0);
    await expire(work as ClaimedWork);
  }
  expect(costs).toEqual([5, 10, 15]);
});

test('who merely looks does not wait for another claim; who has heard of work does', async () => {
  await add('one', 1);
  const looks = (waits: boolean) =>
    claimWork(store.database.sql, kind, 1, 60_000, {
      name: randomUUID(),
      highestLease: '0',
      waits,
    });
  const waiting = await store.owner.transaction(async (sql) => {
    await sql`select pg_advisory_xact_lock(727004, hashtext(${kind}))`;
    expect(await looks(false)).toEqual([]);
    return [looks(true)];
  });
  expect(names((await Promise.all(waiting)).flat())).toEqual(['one']);
  await add('two', 1);
  expect(names(await looks(false))).toEqual(['two']);
});

test('what was given back after a failure waits for its time and keeps nobody else waiting', async () => {
  await add('failing', 1);
  await add('other', 1);
  const [first] = (await claim()) as [ClaimedWork];
  await inTenant(first, (sql) => returnFailed(sql, first, 60_000));
  expect(names(await claim(5))).toEqual([first.groupId === 'other' ? 'failing' : 'other']);
  await store.owner.sql`update leased_work set not_before = now()`;
  expect(names(await claim(5))).toEqual([first.groupId]);
});

test('whoever comes late cannot write, complete or give back, also in a group that was added anew', async () => {
  await add('one', 2);
  const [late] = (await claim()) as [ClaimedWork];
  const isHeld = () =>
    inTenant(late, (sql) => holdWork(sql, late, [{ held: late, madeProgress: false }]));
  expect(await isHeld()).toEqual([true]);
  await expire(late);
  expect(await isHeld()).toEqual([false]);
  const [now] = (await claim()) as [ClaimedWork];
  expect(now.number).toBe(late.number);
  await inTenant(late, (sql) => returnFailed(sql, late, 0));
  expect(await complete(late)).toBe('lost');
  expect(await isHeld()).toEqual([false]);
  await add('one', 2);
  const [claimedAgain] = (await claim()) as [ClaimedWork];
  expect([await complete(now), await complete(claimedAgain)]).toEqual(['lost', 'left']);
});

test('nobody holds what is being written from whoever writes it', async () => {
  await add('one', 1);
  const [held] = (await claim()) as [ClaimedWork];
  const taken = await inTenant(held, async (sql) => {
    await holdWork(sql, held, [{ held, madeProgress: false }]);
    await sql`
      update leased_work set leased_until = now() - interval '1 second' where lease = ${held.lease}::bigint`;
    return claim();
  });
  expect(taken).toEqual([]);
  expect(names(await claim())).toEqual(['one']);
});

test('whoever holds the lock of a group keeps claims of no other group waiting, nor of its own', async () => {
  await add('locked', 2, 8);
  await add('free', 1);
  const claimed = await store.owner.transaction(async (sql) => {
    await sql`select from work_groups where id = 'locked' for update`;
    return claim(3);
  });
  expect(names(claimed).sort()).toEqual(['free', 'locked', 'locked']);
});

test('a group that is closed has no holders and nothing to claim', async () => {
  await add('one', 3);
  const [held] = (await claim()) as [ClaimedWork];
  await inTenant(held, (sql) => closeWork(sql, held));
  expect(await complete(held)).toBe('lost');
  expect(await claim()).toEqual([]);
});

test('a claim sees no more of other organizations than where to go on, and a query without a tenant nothing', async () => {
  await add('one', 1);
  expect(await store.database.sql`select from leased_work`).toHaveLength(0);
  expect(await store.database.sql`select from work_groups`).toHaveLength(0);
  const { organizationId, projectId } = places[0] as Place;
  expect((await claim())[0]).toEqual({
    kind,
    organizationId,
    projectId,
    groupId: 'one',
    number: 1,
    firstItem: 0,
    lastItem: 0,
    attemptCost: 5,
    lease: expect.stringMatching(/^\d+$/),
  });
});

test('any order of claims, deaths and ends keeps the bounds, loses nothing and ends each group once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ rows: fc.integer({ min: 1, max: 5 }), atOnce: fc.integer({ min: 1, max: 3 }) }),
        { minLength: 1, maxLength: 4 },
      ),
      fc.array(fc.constantFrom('claim', 'two', 'die', 'fail', 'complete'), { maxLength: 40 }),
      async (groups, moves) => {
        await store.owner.sql`delete from work_groups`;
        for (const [at, { rows, atOnce }] of groups.entries()) {
          await add(`group-${at}`, rows, atOnce, at % 3);
        }
        const last: string[] = [];
        let held: ClaimedWork[] = [];
        const play = async (move: string) => {
          const [one] = held;
          if (move === 'claim') held.push(...(await claim()));
          else if (move === 'two') held.push(...(await Promise.all([claim(), claim()])).flat());
          else if (one !== undefined) {
            held = held.slice(1);
            if (move === 'die') await expire(one);
            else if (move === 'fail') await inTenant(one, (sql) => returnFailed(sql, one, 0));
            else if ((await complete(one)) === 'last') last.push(one.groupId);
          }
          const leased = await store.owner.sql<{ groupId: string; count: number }[]>`
            select group_id, count(*)::int from leased_work where status = 'leased' group by 1`;
          for (const { groupId, count } of leased) {
            expect(count).toBeLessThanOrEqual(groups[Number(groupId.slice(6))]?.atOnce ?? 0);
          }
          const keys = held.map(({ groupId, number }) => `${groupId} ${number}`);
          expect(new Set(keys).size).toBe(keys.length);
        };
        for (const move of moves) await play(move);
        for (let round = 0; round < 60 && last.length < groups.length; round += 1) {
          await play('claim');
          await play('complete');
        }
        expect(last.sort()).toEqual(groups.map((_, at) => `group-${at}`));
      },
    ),
    { numRuns: 30 },
  );
}, 60_000);
