import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLog } from '../../../main/log.ts';
import { createOperator } from '../../../main/operator.ts';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { defaultRunLimits } from '../../../platform/spending/run-limits.ts';
import { payTrials, stepOfTrial } from '../../../platform/spending/store/paid-trials.ts';
import {
  reserveAnew,
  settleOfEarlierHolders,
} from '../../../platform/spending/store/reservations.ts';
import type { ClaimedWork } from '../../../platform/work/store/leased-work.ts';
import { TrialPayments } from './trial-payments.ts';

let service: TestDatabase;
let place: { organizationId: string; projectId: string };
beforeAll(async () => {
  service = await createTestDatabase();
  place = await createOperator(service.owner, '').bootstrap({
    email: 'owner@payments.example',
    organization: 'Payments',
  });
});
afterAll(() => service.drop());

const log = createLog('info', { write: () => undefined });
const cost = { inputTokens: 10, outputTokens: 5, credits: 0.5, priced: true };
const own = { kind: 'trial_step', model: 'm', cost, isReserved: true } as const;
const spent = [own];

/** Lets the first `away.times` transactions fail like a refused connection. */
function paymentsWhere(away: { times: number }): TrialPayments {
  const tenant: Database['tenant'] = (...asked) => {
    if (away.times === 0) return service.database.tenant(...asked);
    away.times -= 1;
    return Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
  };
  const database = { ...service.database, tenant };
  return new TrialPayments({ database, log, runLimits: defaultRunLimits });
}

function workOf(runId: string, lease: string): ClaimedWork {
  return { ...place, groupId: runId, lease } as unknown as ClaimedWork;
}

const inside = <Result>(work: (sql: Sql) => Promise<Result>) =>
  service.database.tenant([place.organizationId], work);

function rowsOf(runId: string) {
  return inside(
    (sql) =>
      sql<{ step: string; credits: number }[]>`
        select step, credits::float8 as credits from ledger where ref = ${`${runId}/1`} order by step`,
  );
}

function counted() {
  return inside(async (sql) => {
    const [row] = await sql<{ used: number; reserved: number }[]>`
      select used::float8 as used, reserved::float8 as reserved from daily_counters
      where counter = 'credits'`;
    return row;
  });
}

test('it is tried again while the database is away, and told twice it is paid once', async () => {
  const away = { times: 2 };
  const payments = paymentsWhere(away);
  const work = workOf('run_a', '7');
  await payments.pay(work, { ordinal: 1, spent });
  expect(away.times).toBe(0);
  // The trial was stored after all: its cost is charged again for the same lease, but must count
  // once.
  const written = { step: stepOfTrial('run_a', 1, own, '7'), spent: own };
  await inside((sql) => payTrials(sql, place, [written]));
  await payments.pay(work, { ordinal: 1, spent });
  expect(await rowsOf('run_a')).toEqual([{ step: 'm 7', credits: 0.5 }]);
  // Another worker plays the trial again, and that attempt costs the same again.
  await payments.pay(workOf('run_a', '8'), { ordinal: 1, spent });
  expect(await rowsOf('run_a')).toHaveLength(2);
  await payments.close();
});

test('what is not paid yet when the process stops is waited for', async () => {
  const payments = paymentsWhere({ times: 2 });
  void payments.pay(workOf('run_b', '1'), { ordinal: 1, spent });
  await payments.close();
  expect(await rowsOf('run_b')).toHaveLength(1);
});

test('one that waits holds what it spent, and others do not wait for it', async () => {
  const step = (lease: string) => ({ ...stepOfTrial('run_c', 1, own, lease), model: 'm' });
  const before = await counted();
  const cap = (before?.used ?? 0) + 2;
  const reserve = (lease: string, credits: number, known: number, isUnderWay = false) => {
    const wanted = { ...step(lease), credits, spent: known, isUnderWay };
    return inside((sql) => reserveAnew(sql, place, wanted, cap));
  };
  expect(await reserve('1', 1.5, 0)).toMatchObject({ isReserved: true });
  expect(await reserve('2', 1, 0)).toMatchObject({ isReserved: false, mayWait: true });
  expect((await counted())?.reserved).toBe(1.5);
  // The first trial has another open call, so both requests may wait for the credits that this call
  // releases.
  expect(await reserve('1', 2.5, 1.5, true)).toMatchObject({ isReserved: false, mayWait: true });
  expect(await reserve('2', 1, 0)).toMatchObject({ isReserved: false, mayWait: true });
  // The first trial has spent one of its reserved credits. More credits are not available, and no
  // open call could release any.
  expect(await reserve('1', 2.5, 1)).toMatchObject({ isReserved: false, mayWait: false });
  expect((await counted())?.reserved).toBe(1);
  expect(await reserve('2', 1, 0)).toMatchObject({ isReserved: true });
  expect(await reserve('1', 1.5, 1)).toMatchObject({ isReserved: false, mayWait: true });
  // The next worker of trial 1 charges what earlier workers had reserved for it; nothing of that
  // trial stays reserved.
  const isOwn = (one: string) => one.endsWith(' 2');
  await inside((sql) => settleOfEarlierHolders(sql, place, { refs: ['run_c/1'], isOwn }));
  expect(await rowsOf('run_c')).toEqual([{ step: 'm 1', credits: 1 }]);
  expect(await counted()).toEqual({ used: (before?.used ?? 0) + 1, reserved: 1 });
});

test('one that cannot be written for another reason is told, and holds nobody up', async () => {
  const warn = vi.spyOn(log, 'warn');
  const payments = new TrialPayments({
    log,
    runLimits: defaultRunLimits,
    database: { ...service.database, tenant: () => Promise.reject(new Error('no such table')) },
  });
  await payments.pay(workOf('run_d', '1'), { ordinal: 1, spent });
  expect(warn.mock.lastCall?.[1]).toBe('the cost of a lost trial could not be stored');
});
