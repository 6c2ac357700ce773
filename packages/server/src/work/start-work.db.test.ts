import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createOperator } from '../main/operator.ts';
import { addWork, type ClaimedWork, completeWork } from '../storage/work/leased-work.ts';
import { startWork, type WorkOptions } from './start-work.ts';
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
    ...{ email: 'owner@worked.example', organization: 'Worked' },
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
    ...{ database: store.database, url: store.url, log },
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
  const unheard = new URL(store.url);
  unheard.port = '1';
  const run = async (work: ClaimedWork) => {
    done.push(work.groupId);
    return complete(work);
  };
  start(run, { url: unheard.href, times: { pollEveryMs: 50 } });
  await add('looked for');
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
    if (work.groupId === 'fails' && tried.push(work.fifths) < 3) throw new Error('Not yet.');
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
  const rows = await store.owner.sql<{ groupId: string; status: string; fifths: number }[]>`
    select group_id, status, fifths from leased_work order by group_id`;
  expect(rows).toEqual([
    { groupId: 'ends', status: 'done', fifths: 5 },
    { groupId: 'left', status: 'open', fifths: 1 },
  ]);
});
