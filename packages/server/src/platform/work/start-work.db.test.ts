import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createOperator } from '../../main/operator.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { startWork, type WorkOptions } from './start-work.ts';
import { addWork, type ClaimedWork, claimWork, completeWork } from './store/leased-work.ts';
import type { WorkAttempt } from './work-kind.ts';

const kind = 'any';
const never = 3_600_000;
const log = { warn: () => undefined, error: () => undefined };
let store: TestDatabase;
let place: { readonly organizationId: string; readonly projectId: string };
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  store = await createTestDatabase();
  place = await createOperator(store.owner, '').bootstrap({
    email: 'owner@worked.example',
    organization: 'Worked',
  });
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await store.owner.sql`delete from work_groups`;
});
afterAll(() => store.drop());

function start(
  run: (work: ClaimedWork, attempt: WorkAttempt) => Promise<'completed' | 'left'>,
  more: Partial<WorkOptions> = {},
) {
  const work = startWork({
    database: store.database,
    url: store.serviceUrl,
    log,
    kinds: { [kind]: { atOnce: 2, run } },
    times: { pollEveryMs: never },
    ...more,
  });
  stops.push(() => work.stop());
  return work;
}

function add(id: string, rows = 1, atOnce = 8): Promise<void> {
  const ranges = Array.from({ length: rows }, (_, row) => ({ firstItem: row, lastItem: row }));
  return store.database.tenant([place.organizationId], (sql) =>
    addWork(sql, { kind, id, atOnce, ...place }, ranges),
  );
}

async function complete(work: ClaimedWork): Promise<'completed'> {
  await store.database.tenant([work.organizationId], (sql) => completeWork(sql, work));
  return 'completed';
}

async function listeners(): Promise<number[]> {
  const rows = await store.owner.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and query = 'listen proofmark_work'`;
  return rows.map(({ pid }) => pid);
}

function untilListening(before: readonly number[] = []): Promise<number> {
  return vi.waitUntil(async () => (await listeners()).find((pid) => !before.includes(pid)), {
    timeout: 10_000,
  });
}

test('work is heard of and done without being looked for, also after the connection was lost', async () => {
  const done: string[] = [];
  start(async (work) => {
    done.push(work.groupId);
    return complete(work);
  });
  const first = await untilListening();
  await add('heard');
  await vi.waitUntil(() => done.includes('heard'), { timeout: 5000 });
  await store.owner.sql`select pg_terminate_backend(${first})`;
  await untilListening([first]);
  await add('again');
  await vi.waitUntil(() => done.includes('again'), { timeout: 5000 });
});

test('work is found by looking where nothing is heard', async () => {
  const done: string[] = [];
  const unreachableUrl = new URL(store.serviceUrl);
  unreachableUrl.port = '1';
  const run = async (work: ClaimedWork) => {
    done.push(work.groupId);
    return complete(work);
  };
  start(run, { url: unreachableUrl.href, times: { pollEveryMs: 50 } });
  await add('looked for');
  await vi.waitUntil(() => done.length === 1, { timeout: 5000 });
});

test('nothing is begun while nothing may be, and all is found afterwards', async () => {
  const done: string[] = [];
  let [may, asked] = [false, 0];
  const run = async (work: ClaimedWork) => {
    done.push(work.groupId);
    return complete(work);
  };
  const mayBegin = () => {
    asked += 1;
    return may;
  };
  start(run, { mayBegin, times: { pollEveryMs: 20 } });
  await untilListening();
  await add('waits');
  const before = asked;
  await vi.waitUntil(() => asked > before + 5, { timeout: 5000 });
  expect(done).toEqual([]);
  may = true;
  await vi.waitUntil(() => done.length === 1, { timeout: 5000 });
});

test('a group at its bound goes on at once where another process has a slot', async () => {
  const [ends, begun] = [new Map<number, () => void>(), new Set<number>()];
  const run = async (work: ClaimedWork) => {
    begun.add(work.number);
    await new Promise<void>((resolve) => ends.set(work.number, resolve));
    return complete(work);
  };
  start(run, { kinds: { [kind]: { atOnce: 1, run } } });
  await untilListening();
  await add('bound', 2, 1);
  await vi.waitUntil(() => begun.has(1), { timeout: 5000 });
  start(run);
  await vi.waitUntil(async () => (await listeners()).length === 2, { timeout: 5000 });
  expect(begun.has(2)).toBe(false);
  ends.get(1)?.();
  await vi.waitUntil(() => begun.has(2), { timeout: 5000 });
  ends.get(2)?.();
});

test('what fails is tried again after a pause, each attempt counted, and the others go on', async () => {
  const tried: number[] = [];
  const done: string[] = [];
  start(async (work) => {
    if (work.groupId === 'fails' && tried.push(work.attemptCost) < 3) throw new Error('Not yet.');
    done.push(work.groupId);
    return complete(work);
  });
  await add('fails');
  await add('works');
  await vi.waitUntil(() => done.length === 2, { timeout: 10_000 });
  expect([tried, done]).toEqual([
    [5, 10, 15],
    ['works', 'fails'],
  ]);
});

test('work whose claim was answered to nobody is done at once, and not counted twice', async () => {
  const begun: number[] = [];
  let lost = 0;
  const { leases } = store.database;
  const claims = async (text: TemplateStringsArray, ...values: string[]) => {
    const rows = await leases.sql(text, ...values);
    if (rows.length === 0 || lost > 0) return rows;
    lost += rows.length;
    throw Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' });
  };
  const database = { ...store.database, leases: { ...leases, sql: claims as Database['sql'] } };
  await add('unheard', 2);
  const run = async (work: ClaimedWork) => {
    begun.push(work.attemptCost);
    return complete(work);
  };
  start(run, { database, times: { pollEveryMs: 50, leaseMs: never } });
  await vi.waitUntil(() => begun.length === 2, { timeout: 5000 });
  expect([lost, begun]).toEqual([2, [5, 5]]);
});

test('leases are kept while every connection for results is in use', async () => {
  const database = openDatabase({
    ...store,
    url: store.serviceUrl,
    as: 'service',
    maxConnections: 1,
  });
  let isLost: boolean | undefined;
  const run = async (work: ClaimedWork, { signal }: WorkAttempt) => {
    await database.transaction((sql) => sql`select pg_sleep(3)`, 'slow');
    isLost = signal.aborted;
    return complete(work);
  };
  await add('long write');
  const times = { leaseMs: 1500, prolongEveryMs: 200, lookEveryMs: 100, beatEveryMs: 50 };
  const work = start(run, { database, times: { ...times, pollEveryMs: never } });
  await vi.waitUntil(() => isLost !== undefined, { timeout: 10_000 });
  expect(isLost).toBe(false);
  await work.stop();
  await database.close();
});

test('where every place is taken, one becomes free for what a dead worker left', async () => {
  const done: string[] = [];
  let begun = 0;
  const run = async (work: ClaimedWork, { stopping }: WorkAttempt) => {
    if (work.groupId === 'long') {
      begun += 1;
      await new Promise((resolve) => stopping.addEventListener('abort', resolve));
      return 'left' as const;
    }
    done.push(work.groupId);
    return complete(work);
  };
  start(run, { kinds: { [kind]: { atOnce: 1, run } }, times: { pollEveryMs: 50 } });
  await add('long');
  await vi.waitUntil(() => begun === 1, { timeout: 5000 });
  await add('dead');
  // A worker claims the work and then dies.
  await claimWork(store.database.sql, kind, 1, 0);
  await vi.waitUntil(() => done.length === 1 && begun === 2, { timeout: 5000 });
  expect(done).toEqual(['dead']);
});

test('for one work of a dead worker one is asked to make room, however long it takes', async () => {
  let begun = 0;
  let asked = 0;
  const release = new AbortController();
  const run = async (work: ClaimedWork, { stopping }: WorkAttempt) => {
    begun += 1;
    stopping.addEventListener('abort', () => {
      asked += 1;
    });
    await new Promise((resolve) => release.signal.addEventListener('abort', resolve));
    return complete(work);
  };
  const work = start(run, { kinds: { [kind]: { atOnce: 3, run } }, times: { pollEveryMs: 20 } });
  for (const name of ['one', 'two', 'three']) await add(name);
  await vi.waitUntil(() => begun === 3, { timeout: 5000 });
  await add('dead');
  await claimWork(store.database.sql, kind, 1, 0);
  await vi.waitUntil(() => asked > 0, { timeout: 5000 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(asked).toBe(1);
  release.abort();
  await work.stop();
});

test('at a stop, what is under way may end, and what is left is given back for a fifth', async () => {
  let begun = 0;
  const work = start(async (claimed, { stopping }) => {
    begun += 1;
    await new Promise((resolve) => stopping.addEventListener('abort', resolve));
    return claimed.groupId === 'ends' ? complete(claimed) : 'left';
  });
  await add('ends');
  await add('left');
  await vi.waitUntil(() => begun === 2, { timeout: 5000 });
  await work.stop();
  const rows = await store.owner.sql<{ groupId: string; status: string; attemptCost: number }[]>`
    select group_id, status, attempt_cost from leased_work order by group_id`;
  expect(rows).toEqual([
    { groupId: 'ends', status: 'done', attemptCost: 5 },
    { groupId: 'left', status: 'open', attemptCost: 1 },
  ]);
});
