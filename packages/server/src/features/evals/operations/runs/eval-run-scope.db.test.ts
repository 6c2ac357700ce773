/**
 * Tests that API keys with the run scope launch only saved suites. Text in a launch request could
 * make a model call any tool.
 */
import { createLauncher } from '@proofmark/harness/launcher.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
});
afterAll(() => service.stop());

test('a run-only key launches what is saved as it is saved, and no text, servers or client of its own', async () => {
  const { inline, suite } = createLauncher(service, tenant);
  const { key } = await service.operator.createKey('owner@acme.example', 'acme', 'ci', {
    scope: 'run-only',
  });
  const launch = (body: object, path = 'eval-runs') =>
    call(`${service.baseUrl}/api/v1/projects/${tenant.projectId}/${path}`, {
      method: 'POST',
      key,
      body,
    });
  const made = async () => {
    const [row] = await service.owner.sql`
      select (select count(*)::int from eval_suites) as suites, (select count(*)::int from eval_runs) as runs`;
    return row;
  };
  const suiteId = await suite();
  const before = await made();
  const refused = await launch(inline());
  expect(refused.status, refused.text).toBe(403);
  expect(refused.body).toMatchObject({
    code: 'FORBIDDEN',
    message: expect.stringContaining('suiteId'),
    details: { reason: 'KEY_SCOPE', scope: 'run-only' },
  });
  expect(await made()).toEqual(before);
  const { serverIds } = inline();
  const overlay = { servers: [{ serverName: 'Sample', tools: [{ name: 'echo' }] }] };
  for (const more of [{ serverIds }, { namedHostId: 'cli_any' }, { overlay }]) {
    const [field = ''] = Object.keys(more);
    expect(await launch({ suiteId, ...more })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining(field), details: { reason: 'KEY_SCOPE' } },
    });
  }
  const targets = [{ namedHostId: 'cli_any' }];
  expect(await launch({ suiteId, targets, overlay }, 'eval-run-groups')).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('overlay'), details: { reason: 'KEY_SCOPE' } },
  });
  expect(await made()).toEqual(before);
  expect((await launch({ suiteId })).status).toBe(202);
});
