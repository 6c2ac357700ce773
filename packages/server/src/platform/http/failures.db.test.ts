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

test('an unexpected failure is INTERNAL_ERROR with a request id that is in the log, with its cause', async () => {
  await service.owner.sql`alter table servers rename to servers_hidden`;
  try {
    const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/servers`;
    const answer = await call(url, { key: tenant.key });
    expect(answer.status).toBe(500);
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'details', 'message']);
    expect(answer.body.code).toBe('INTERNAL_ERROR');
    expect(answer.text).not.toMatch(/servers|relation|select|42P01|\.ts/);
    const { requestId } = answer.body.details;
    expect(answer.headers.get('x-request-id')).toBe(requestId);
    const line = service.logLines.find(
      (one) => one.includes(requestId) && one.includes('request failed'),
    );
    expect(line).toContain('relation');
    expect(line).not.toContain(tenant.key);
  } finally {
    await service.owner.sql`alter table servers_hidden rename to servers`;
  }
});

test.each([
  ['GET', '/api/v1/nothing'],
  ['GET', '/api/v1'],
  ['GET', '/api/v2/me'],
  ['POST', '/api/v1/me'],
  ['PUT', '/api/v1/projects'],
  ['DELETE', '/console/v1/nothing'],
  ['GET', '/api/v1/me/'],
  ['GET', '/api/v1/projects//servers'],
])('%s %s is 404 in the error shape', async (method, path) => {
  const answer = await call(service.baseUrl + path, { method, key: tenant.key });
  expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
});

test('ids with odd characters are not found, whatever they hold', async () => {
  for (const id of ['%00', '%ff', '..%2f..', `${'x'.repeat(500)}`, "' or 1=1 --", '%F0%9F%9B%B0']) {
    const answer = await call(`${service.baseUrl}/api/v1/projects/${id}/servers`, {
      key: tenant.key,
    });
    expect([400, 404]).toContain(answer.status);
    expect(answer.body.code).toMatch(/NOT_FOUND|VALIDATION_ERROR/);
  }
});
