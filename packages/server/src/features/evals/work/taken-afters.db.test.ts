import type { TrialWarning } from '@proofmark/domain';
import { insertLaunchedRun, type LaunchedRun } from '@proofmark/harness/launched-run.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createOperator } from '../../../main/operator.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { type ClaimedWork, claimWork } from '../../../platform/work/store/leased-work.ts';
import { endRun } from '../operations/runs/end-run.ts';
import { readRun } from '../store/eval-runs.ts';
import {
  leaseAbandonedTeardowns,
  leaseOfTeardownSettler,
  listLostTeardowns,
  settleTeardown,
} from '../store/owed-teardowns.ts';
import { writeTrialUpdates } from '../store/record-trials.ts';
import { trialsWork } from '../store/run-work.ts';
import { makeLeasedTeardown, silenceOfDead } from './make-leased-teardown.ts';

let service: TestDatabase;
let tenant: { readonly organizationId: string; readonly projectId: string };
beforeAll(async () => {
  service = await createTestDatabase();
  tenant = await createOperator(service.owner, '').bootstrap({
    email: 'owner@afters.example',
    organization: 'Afters',
  });
});
afterAll(() => service.drop());

const inTenant = <Result>(work: (sql: Sql) => Promise<Result>) =>
  service.database.tenant([tenant.organizationId], work);

async function owing() {
  const run = await insertLaunchedRun(service, tenant, { cases: 2, repetitions: 1, atOnce: 1 });
  const held = await claimed();
  expect(held.groupId).toBe(run.runId);
  const written = await inTenant((sql) =>
    writeTrialUpdates(sql, { ...tenant, runId: run.runId }, [
      { held, owesAfter: 1 },
      { held, owesAfter: 2 },
    ]),
  );
  expect(written).toEqual([true, true]);
  return { run, held };
}

async function claimed(): Promise<ClaimedWork> {
  const [held] = await claimWork(service.database.sql, trialsWork, 1, 60_000);
  if (held === undefined) throw new Error('There is no work.');
  return held;
}

const ownedBy = ({ runId }: LaunchedRun, ordinal: number, lease: string) => ({
  runId,
  ordinal,
  lease,
  organizationId: tenant.organizationId,
});

function cancel({ projectId, runId }: LaunchedRun, sql: Sql): Promise<void> {
  return readRun(sql, projectId, runId, 'forUpdate').then((row) => {
    if (row === undefined) throw new Error('The run is gone.');
    return endRun(sql, row, 'cancelled');
  });
}

const owedRows = ({ runId }: LaunchedRun) =>
  service.owner.sql<{ ordinal: number; takenAt: Date | null }[]>`
    select ordinal, taken_at from owed_teardowns where run_id = ${runId} order by ordinal`;

async function isSealed({ runId }: LaunchedRun): Promise<boolean> {
  const [row] = await service.owner.sql<{ isSealed: boolean }[]>`
    select sealed_servers is not null as is_sealed from eval_run_plans where run_id = ${runId}`;
  return row?.isSealed === true;
}

async function warningsOf({ runId }: LaunchedRun, ordinal = 1): Promise<unknown> {
  const [row] = await service.owner.sql<{ warnings: string | null }[]>`
    select warnings from eval_iterations where run_id = ${runId} and ordinal = ${ordinal}`;
  return JSON.parse(row?.warnings ?? '[]');
}

/**
 * Runs two transactions. The second starts after the first has done its work but before it commits.
 */
async function overlapping(
  first: (sql: Sql) => Promise<void>,
  second: (sql: Sql) => Promise<void>,
): Promise<void> {
  let commit: (() => void) | undefined;
  const mayCommit = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let hasDone: (() => void) | undefined;
  const done = new Promise<void>((resolve) => {
    hasDone = resolve;
  });
  const one = inTenant(async (sql) => {
    await first(sql);
    hasDone?.();
    await mayCommit;
  });
  await Promise.race([done, one]);
  let isOver = false;
  const other = inTenant(second).finally(() => {
    isOver = true;
  });
  await vi.waitUntil(async () => isOver || (await isSomebodyLocked()), { timeout: 10_000 });
  commit?.();
  await Promise.all([one, other]);
}

async function isSomebodyLocked(): Promise<boolean> {
  const rows = await service.owner.sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.count > 0;
}

test('whoever settles last of all leaves nothing sealed in a run that has ended', async () => {
  const { run, held } = await owing();
  const settle = (ordinal: number) => (sql: Sql) =>
    settleTeardown(sql, ownedBy(run, ordinal, held.lease), []);
  await inTenant((sql) => cancel(run, sql));
  expect(await isSealed(run)).toBe(true);
  await overlapping(settle(1), settle(2));
  expect([await owedRows(run), await isSealed(run)]).toEqual([[], false]);
});

test.each(['settles', 'ends'])(
  'nothing stays sealed where a run ends while its last calls are settled: first who %s',
  async (first) => {
    const { run, held } = await owing();
    await inTenant((sql) => settleTeardown(sql, ownedBy(run, 1, held.lease), []));
    expect(await isSealed(run)).toBe(true);
    const settle = (sql: Sql) => settleTeardown(sql, ownedBy(run, 2, held.lease), []);
    const end = (sql: Sql) => cancel(run, sql);
    await (first === 'settles' ? overlapping(settle, end) : overlapping(end, settle));
    expect([await owedRows(run), await isSealed(run)]).toEqual([[], false]);
  },
);

const warning = (path: string): TrialWarning => ({ path, code: 'AFTER_FAILED', message: 'No.' });

test('what is told of them stays, whether the trial is dropped, begins again or is written', async () => {
  const { run, held } = await owing();
  const settle = (...warnings: TrialWarning[]) =>
    inTenant((sql) => settleTeardown(sql, ownedBy(run, 1, held.lease), warnings));
  await settle(warning('after[0]'));
  const { runId } = run;
  await inTenant((sql) =>
    writeTrialUpdates(sql, { ...tenant, runId }, [{ held, begins: 1, owesAfter: 1 }]),
  );
  await settle(warning('after[0]'), warning('after[1]'));
  const both = [warning('after[0]'), warning('after[1]')];
  expect(await warningsOf(run)).toEqual(both);
  const ended = {
    ordinal: 1,
    status: 'completed',
    result: 'passed',
    evaluatorError: false,
    startedAtMs: 1,
    durationMs: 1,
    tokensUsed: null,
    usage: null,
    actualToolCalls: [],
    error: null,
    scores: null,
    chain: {},
    toolSurface: null,
    trace: {},
    details: {},
    spent: [],
  };
  await inTenant((sql) => writeTrialUpdates(sql, { ...tenant, runId }, [{ held, ended }]));
  expect(await warningsOf(run)).toEqual(both);
  await inTenant((sql) => settleTeardown(sql, ownedBy(run, 2, held.lease), [warning('after[3]')]));
  await inTenant((sql) => cancel(run, sql));
  expect(await warningsOf(run, 2)).toEqual([warning('after[3]')]);
});

async function takenBySettler() {
  const { run } = await owing();
  await inTenant((sql) => cancel(run, sql));
  // The call leases the pending cleanup calls of other tests too.
  await leaseAbandonedTeardowns(service.database.sql, -1, 100);
  const [taken] = await owedRows(run);
  if (taken?.takenAt == null) throw new Error('None was taken.');
  return { run, taken, own: ownedBy(run, taken.ordinal, leaseOfTeardownSettler) };
}

test('one who is stopped before the first call was sent gives them back; later, nobody makes them again', async () => {
  const { run, taken, own } = await takenBySettler();
  const stop = async (isBegun: boolean) => {
    const leaving = new AbortController();
    const under = { signal: leaving.signal, leaseMs: 5000 };
    const made = makeLeasedTeardown(service.database, own, under, async (signal, onBegun) => {
      if (isBegun) onBegun();
      leaving.abort(new Error('stopped'));
      signal.throwIfAborted();
      return [];
    });
    await expect(made).rejects.toThrow('stopped');
    return (await owedRows(run)).find(({ ordinal }) => ordinal === taken.ordinal)?.takenAt;
  };
  expect(await stop(false)).toBeNull();
  const again = await leaseAbandonedTeardowns(service.database.sql, -1, 100);
  expect(again.map(({ ordinal }) => ordinal)).toContain(taken.ordinal);
  expect(await stop(true)).not.toBeNull();
  expect(await leaseAbandonedTeardowns(service.database.sql, -1, 100)).toEqual([]);
});

test('one who takes longer than the dead are silent is not taken for dead, and what it made is told', async () => {
  const { run, taken, own } = await takenBySettler();
  const leaseMs = 100;
  const under = { signal: new AbortController().signal, leaseMs };
  const silentMs = silenceOfDead(leaseMs);
  await makeLeasedTeardown(service.database, own, under, async (signal, onBegun) => {
    onBegun();
    await vi.waitUntil(
      async () => {
        const [row] = await service.owner.sql<{ isLong: boolean }[]>`
          select clock_timestamp() > ${taken.takenAt} + make_interval(secs => ${(2 * silentMs) / 1000}) as is_long`;
        return row?.isLong === true;
      },
      { timeout: 20_000 },
    );
    const lost = await listLostTeardowns(service.database.sql, silentMs);
    // The run's other trial was leased too, but its leaseholder never makes the calls.
    expect(lost.filter(({ runId }) => runId === run.runId)).toMatchObject([{ ordinal: 2 }]);
    expect(signal.aborted).toBe(false);
    return [warning('after[0]')];
  });
  expect((await owedRows(run)).map(({ ordinal }) => ordinal)).not.toContain(taken.ordinal);
  expect(await warningsOf(run, taken.ordinal)).toEqual([warning('after[0]')]);
});

test('one who was given up for lost goes no further', async () => {
  const { run, own } = await takenBySettler();
  const under = { signal: new AbortController().signal, leaseMs: 100 };
  const made = makeLeasedTeardown(service.database, own, under, async (signal, onBegun) => {
    onBegun();
    await inTenant((sql) => settleTeardown(sql, own, [warning('after')]));
    await vi.waitUntil(() => signal.aborted, { timeout: 10_000 });
    throw signal.reason;
  });
  await expect(made).rejects.toThrow('lost its lease of the calls after the trial');
  expect(await warningsOf(run, own.ordinal)).toEqual([warning('after')]);
});
