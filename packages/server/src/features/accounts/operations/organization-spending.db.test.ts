import { type ConsolePerson, newConsolePerson } from '@proofmark/harness/console-person.ts';
import { createLauncher } from '@proofmark/harness/launcher.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultRunLimits } from '../../../platform/spending/run-limits.ts';
import { defaultSpending } from '../../../platform/spending/spending.ts';

let service: TestService;
let tenant: Tenant;
let owner: ConsolePerson;
beforeAll(async () => {
  service = await startTestService({
    runLimits: {
      ...defaultRunLimits,
      concurrentRuns: 3,
      quotas: { ...defaultRunLimits.quotas, trialsPerDay: 10 },
    },
    spending: { ...defaultSpending, limits: { ...defaultSpending.limits, creditsPerDay: 30 } },
  });
  tenant = await createTenant(service, 'acme');
  owner = await newConsolePerson(service, 'acme', 'owner');
});
afterAll(() => service.stop());

const read = (who: ConsolePerson, query = '') =>
  who.ask('GET', `organizations/${tenant.organizationId}/spending${query}`);

test('every limit with what is left of it, what models cost, and the days before', async () => {
  const { sql } = service.owner;
  const { organizationId, projectId } = tenant;
  await sql`
    insert into daily_counters (organization_id, day, counter, used, reserved)
    select ${organizationId}, (now() at time zone 'utc')::date - ago, counter, used, reserved
    from (values (0, 'credits', 9, 1.5), (1, 'credits', 4, 0), (20, 'credits', 7, 0), (0, 'insightsPerDay', 2, 0))
      as told (ago, counter, used, reserved)`;
  await sql`
    insert into ledger (organization_id, project_id, day, kind, model, input_tokens, output_tokens, credits, priced, ref, step)
    select ${organizationId}, ${projectId}, (now() at time zone 'utc')::date - ago, kind, 'local/paid', 1000, 10, credits, priced, ref, '1'
    from (values (0, 'trial_step', 9, true, 'a'), (0, 'trial_step', 0, false, 'b'), (1, 'judge', 4, true, 'c'))
      as told (ago, kind, credits, priced, ref)`;
  await createLauncher(service, tenant).launch();
  const answer = await read(owner);
  expect(answer.status, answer.text).toBe(200);
  const limits = Object.fromEntries(
    answer.body.limits.map(({ name, ...one }: { name: string }) => [name, one]),
  );
  expect(limits).toMatchObject({
    credits: { used: 9, reserved: 1.5, allowed: 30, left: 19.5 },
    insightsPerDay: { used: 2, allowed: 25, left: 23 },
    trialsPerDay: { used: 2, allowed: 10, left: 8 },
    storedBytes: { allowed: null, left: null },
    openRuns: { used: 1, allowed: 3, left: 2 },
  });
  expect(answer.body.resetsAt % 86_400_000).toBe(0);
  expect(answer.body.spent).toEqual([
    {
      kind: 'trial_step',
      model: 'local/paid',
      steps: 2,
      inputTokens: 2000,
      outputTokens: 20,
      credits: 9,
      unpriced: 1,
    },
  ]);
  const { days } = answer.body;
  expect(days).toHaveLength(14);
  expect(days.slice(-2).map((one: { credits: number }) => one.credits)).toEqual([4, 9]);
  expect(days.at(-1).day).toBe(answer.body.day);

  const yesterday = (await read(owner, `?day=${days.at(-2).day}`)).body;
  expect(yesterday).toMatchObject({ day: days.at(-2).day, spent: [{ kind: 'judge', credits: 4 }] });
  expect(yesterday.limits, 'limits are of today').toEqual(answer.body.limits);
  for (const day of ['yesterday', '0000-01-01', '2026-02-30']) {
    expect((await read(owner, `?day=${day}`)).status, day).toBe(400);
  }
});

test('is for owners and admins, and another organization is not found', async () => {
  const status = async (organization: string, role: 'admin' | 'member' | 'owner') =>
    (await read(await newConsolePerson(service, organization, role))).status;
  await createTenant(service, 'globex');
  expect(await status('acme', 'admin')).toBe(200);
  expect(await status('acme', 'member')).toBe(403);
  expect(await status('globex', 'owner')).toBe(404);
});
