import type { LedgerEntry } from '@proofmark/domain';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperator } from '../../../main/operator.ts';
import type { Sql } from '../../database/database.ts';
import { chargeDay, readDay } from './daily-counters.ts';
import { writeLedger } from './ledger.ts';
import { stepOfTrial } from './paid-trials.ts';
import {
  type PaidStepKey,
  reserveCredits,
  settle,
  settleSilentReservations,
} from './reservations.ts';

let service: TestDatabase;
beforeAll(async () => {
  service = await createTestDatabase();
});
afterAll(() => service.drop());

let made = 0;
async function newOrganization() {
  made += 1;
  const { organizationId, projectId } = await createOperator(service.owner, '').bootstrap({
    email: `owner${made}@spending.example`,
    organization: `Spending ${made}`,
  });
  return {
    place: { organizationId, projectId },
    inside: <Result>(work: (sql: Sql) => Promise<Result>) =>
      service.database.tenant([organizationId], work),
  };
}

function entry(step: string, credits: number): LedgerEntry {
  const tokens = { inputTokens: 10, outputTokens: 5 };
  return { kind: 'insights', model: 'm', ...tokens, credits, priced: true, ref: 'one', step };
}

test('fifty at once against three left: exactly three', async () => {
  const { place, inside } = await newOrganization();
  const charge = () =>
    inside((sql) => chargeDay(sql, { ...place, name: 'insightsPerDay', allowed: 3 }));
  const outcomes = await Promise.all(Array.from({ length: 50 }, charge));
  expect(outcomes.filter(({ isCharged }) => isCharged)).toHaveLength(3);
  const { used } = await inside((sql) => readDay(sql, place.organizationId));
  expect(Object.fromEntries(used)).toEqual({ insightsPerDay: 3 });
});

test('what is undone charges nothing, a limit of 0 allows nothing, and none allows all', async () => {
  const { place, inside } = await newOrganization();
  const charge = (sql: Sql, allowed: number | null) =>
    chargeDay(sql, { ...place, name: 'generationsPerDay', allowed });
  const undone = inside(async (sql) => {
    await charge(sql, 5);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await inside((sql) => charge(sql, 0))).toEqual({ isCharged: false });
  expect((await inside((sql) => readDay(sql, place.organizationId))).used.size).toBe(0);
  expect(await inside((sql) => charge(sql, null))).toEqual({ isCharged: true });
  expect(await inside((sql) => charge(sql, 1))).toEqual({ isCharged: false });
});

test('a step that is told twice is paid for once, also at the same time', async () => {
  const { place, inside } = await newOrganization();
  const tell = () => inside((sql) => writeLedger(sql, place, [entry('twice', 0.25)]));
  await Promise.all(Array.from({ length: 10 }, tell));
  const { used } = await inside((sql) => readDay(sql, place.organizationId));
  expect(used.get('credits')).toBe(0.25);
});

test('steps that begin together do not pass a cap together', async () => {
  const { place, inside } = await newOrganization();
  const reserve = (_: unknown, index: number) =>
    inside((sql) => {
      const step = {
        kind: 'agent_step',
        ref: place.projectId,
        step: `${index}`,
        model: 'm',
      } as const;
      return reserveCredits(sql, place, { ...step, credits: 3 }, 10);
    });
  const outcomes = await Promise.all(Array.from({ length: 20 }, reserve));
  expect(outcomes.filter(({ isReserved }) => isReserved)).toHaveLength(3);
  const settled = outcomes.findIndex(({ isReserved }) => isReserved);
  const paid = { ...entry(`${settled}`, 0.5), kind: 'agent_step', ref: place.projectId } as const;
  await inside((sql) => settle(sql, place, paid));
  await inside((sql) => settle(sql, place, paid));
  const { used } = await inside((sql) => readDay(sql, place.organizationId));
  expect(used.get('credits')).toBe(6.5);
});

test('more than the whole cap is never set aside', async () => {
  const { place, inside } = await newOrganization();
  const step = { kind: 'agent_step', ref: place.projectId, step: 'large', model: 'm' } as const;
  const outcome = await inside((sql) => reserveCredits(sql, place, { ...step, credits: 11 }, 10));
  expect(outcome).toEqual({ isReserved: false, spentOut: 'day' });
});

test('a reservation whose owner is silent is paid for at its worst case, once', async () => {
  const { place, inside } = await newOrganization();
  const step = { kind: 'agent_step', ref: place.projectId, step: '1', model: 'm' } as const;
  await inside((sql) => reserveCredits(sql, place, { ...step, credits: 4 }, 10));
  expect(await settleSilentReservations(service.database)).toBe(0);
  await service.owner.sql`update credit_reservations set reserved_at = now() - interval '16 minutes'
    where ref = ${place.projectId}`;
  const both = [settleSilentReservations, settleSilentReservations];
  const counts = await Promise.all(both.map((job) => job(service.database)));
  expect(counts.reduce((sum, count) => sum + count)).toBe(1);
  const late = { ...entry('1', 1), kind: 'agent_step', ref: place.projectId } as const;
  await inside((sql) => settle(sql, place, late));
  const { used } = await inside((sql) => readDay(sql, place.organizationId));
  expect(used.get('credits')).toBe(4);
});

test('a judge of a trial may be silent as long as the trial, and its later votes are paid', async () => {
  const { place, inside } = await newOrganization();
  const key = stepOfTrial('run_1', 1, { kind: 'judge', model: 'm' }, 'lease');
  const reserve = (step: PaidStepKey) =>
    inside((sql) => reserveCredits(sql, place, { ...step, model: 'm', credits: 4 }, 100));
  await reserve(key);
  await reserve({ ...key, step: 'b4f6c3a2' });
  const silentFor = (age: string) => service.owner.sql`
    update credit_reservations set reserved_at = now() - ${age}::interval
    where organization_id = ${place.organizationId}`;
  await silentFor('16 minutes');
  expect(await settleSilentReservations(service.database)).toBe(1);
  await inside((sql) => settle(sql, place, { ...entry('', 6), ...key }));
  const { used } = await inside((sql) => readDay(sql, place.organizationId));
  expect(used.get('credits')).toBe(4 + 6);
  await reserve({ ...key, ref: 'run_1/2' }).then(() => silentFor('121 minutes'));
  expect(await settleSilentReservations(service.database)).toBe(1);
});

test('the service cannot change what it has written down', async () => {
  const { place, inside } = await newOrganization();
  await inside((sql) => writeLedger(sql, place, [{ ...entry('kept', 1), ref: place.projectId }]));
  const change = (work: (sql: Sql) => Promise<unknown>) => inside(work);
  await expect(change((sql) => sql`update ledger set credits = 0`)).rejects.toThrow(/permission/);
  await expect(change((sql) => sql`delete from ledger`)).rejects.toThrow(/permission/);
});
