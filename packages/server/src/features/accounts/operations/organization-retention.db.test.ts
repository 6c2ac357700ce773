/** Tests the retention of an organization as its owners and admins read it. */
import { newConsolePerson } from '@proofmark/harness/console-person.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const all = { days: null, count: null };
let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService({
    retention: { runs: { days: 90, count: null }, traces: all, sessions: all },
  });
  tenant = await createTenant(service, 'acme');
});
afterAll(() => service.stop());

test('its own rules come before those of the settings, and members read none', async () => {
  const path = `organizations/${tenant.organizationId}/retention`;
  const owner = await newConsolePerson(service, 'acme', 'owner');
  await service.owner.sql`
    insert into organization_retention (organization_id, kind, days, count)
    values (${tenant.organizationId}, 'traces', 14, 50)`;
  const answer = await owner.ask('GET', path);
  expect([answer.status, answer.body], answer.text).toEqual([
    200,
    {
      rules: [
        { kind: 'runs', days: 90, count: null },
        { kind: 'traces', days: 14, count: 50 },
        { kind: 'sessions', ...all },
      ],
    },
  ]);
  const member = await newConsolePerson(service, 'acme', 'member');
  expect((await member.ask('GET', path)).status).toBe(403);
});
