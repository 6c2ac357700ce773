import { defaultSpendingLimits } from '@proofmark/domain';
import { restoreBackup } from '@proofmark/harness/restore-backup.ts';
import {
  type TemporaryDirectory,
  temporaryDirectory,
} from '@proofmark/harness/temporary-directory.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countToday } from '../accounts/store/daily-counters.ts';
import { claimInstallation } from '../database/installation.ts';
import { readCreditsOfToday } from '../spending/store/daily-counters.ts';
import { writeLedger } from '../spending/store/ledger.ts';
import { readSpending } from '../spending/store/read-spending.ts';
import { reserveCredits, settle } from '../spending/store/reservations.ts';
import { backupTo } from './backup-to.ts';

let service: TestService;
let tenant: Tenant;
let directory: TemporaryDirectory;
beforeAll(async () => {
  directory = temporaryDirectory();
  service = await startTestService();
  await claimInstallation(service.owner);
  tenant = await createTenant(service, 'acme');
  // Deletes the counts that result from creating the tenant.
  await service.owner.sql`delete from daily_counters`;
});
afterAll(async () => {
  await service.stop();
  directory.remove();
});

const inside: typeof service.database.transaction = (work) =>
  service.database.tenant([tenant.organizationId], work);
const entry = (step: string, credits: number) => ({
  kind: 'trial_step' as const,
  ref: tenant.organizationId,
  step,
  model: 'm' as const,
  credits,
  inputTokens: 10,
  outputTokens: 5,
  priced: true,
});
const spend = (step: string, credits: number) =>
  inside((sql) => writeLedger(sql, tenant, [entry(step, credits)]));
const count = (amount: number) =>
  inside((sql) => countToday(sql, tenant.organizationId, 'trialsPerDay', amount, 1000));
const reserve = (step: string, credits: number) =>
  inside((sql) => reserveCredits(sql, tenant, entry(step, credits), 100));
const spent = () =>
  inside((sql) => readSpending(sql, tenant.organizationId, undefined, defaultSpendingLimits));

test('rows of the ledger and counts since the backup are there after it, once', async () => {
  const file = `${directory.path}/spent.backup`;
  await spend('early', 1);
  await count(3);
  await backupTo(service.url, file);
  await spend('late', 2);
  await count(4);
  const before = await spent();
  expect(before).toMatchObject({
    counters: [
      { name: 'credits', used: 3 },
      { name: 'trialsPerDay', used: 7 },
    ],
    ledger: [{ steps: 2, credits: 3 }],
  });
  await restoreBackup(service.url, file);
  expect(await spent()).toEqual(before);
  await restoreBackup(service.url, file);
  expect(await spent()).toEqual(before);
});

test('what the backup counted is not made less', async () => {
  const file = `${directory.path}/counted.backup`;
  const before = await spent();
  await backupTo(service.url, file);
  await service.owner.sql`update daily_counters set used = 1`;
  await restoreBackup(service.url, file);
  expect(await spent()).toEqual(before);
});

test('what was spent here and in a copy of the data is counted together', async () => {
  const file = `${directory.path}/copied.backup`;
  const { sql } = service.owner;
  const before = (await spent()).counters[0]?.used ?? 0;
  await spend('in the copy', 2);
  await backupTo(service.url, file);
  await sql`delete from ledger where step = 'in the copy'`;
  await sql`update daily_counters set used = ${before} where counter = 'credits'`;
  await spend('here', 4);
  await restoreBackup(service.url, file);
  expect((await spent()).counters[0]).toMatchObject({ name: 'credits', used: before + 6 });
});

test('credits stay set aside for steps under way, and no more for those that were paid', async () => {
  const file = `${directory.path}/reserved.backup`;
  await reserve('paid', 20);
  await reserve('grown', 1);
  await backupTo(service.url, file);
  await inside((sql) => settle(sql, tenant, entry('paid', 5)));
  await reserve('under way', 30);
  await service.owner.sql`update credit_reservations set credits = 3 where step = 'grown'`;
  await service.owner
    .sql`update daily_counters set reserved = reserved + 2 where counter = 'credits'`;
  const credits = () => inside((sql) => readCreditsOfToday(sql, tenant.organizationId));
  const before = await credits();
  await restoreBackup(service.url, file);
  expect(await credits()).toBe(before);
  await inside((sql) => settle(sql, tenant, entry('under way', 7)));
  expect(await credits()).toBe(before - 30 + 7);
});

test('what an organization spent that is gone after it is gone too', async () => {
  const file = `${directory.path}/gone.backup`;
  await backupTo(service.url, file);
  const other = await createTenant(service, 'later');
  await service.database.tenant([other.organizationId], (sql) =>
    writeLedger(sql, other, [{ ...entry('one', 1), ref: other.organizationId }]),
  );
  await restoreBackup(service.url, file);
  const rows = await service.owner
    .sql`select from ledger where organization_id = ${other.organizationId}`;
  expect(rows).toHaveLength(0);
});
