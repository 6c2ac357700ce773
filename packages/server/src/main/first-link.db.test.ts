import {
  call,
  signInAs,
  startTestService,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markUnproven } from '../platform/accounts/store/unproven.ts';
import { makeFirstLink } from './first-link.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
});
afterAll(() => service.stop());

const me = (caller: { key?: string; headers?: Record<string, string> }) =>
  call(`${service.baseUrl}/api/v1/me`, caller);

test('the link of a start ends what others may hold of an unproven owner, once', async () => {
  const before = await signInAs(service, tenant.accountId);
  expect((await makeFirstLink(service.owner, service.baseUrl))?.email).toBe('owner@acme.example');
  expect((await me({ headers: before })).status).toBe(200);
  await service.owner.transaction((sql) => markUnproven(sql, tenant.accountId));
  const link = await makeFirstLink(service.owner, service.baseUrl);
  expect((await me({ headers: before })).status).toBe(401);
  expect((await me({ key: tenant.key })).status).toBe(401);
  const entered = await call(`${service.baseUrl}/console/v1/session/link`, {
    method: 'POST',
    headers: { origin: service.baseUrl },
    body: { token: new URL(link?.url ?? '').hash.replace('#token=', '') },
  });
  expect(entered.status, entered.text).toBe(200);
  const after = await signInAs(service, tenant.accountId);
  await makeFirstLink(service.owner, service.baseUrl);
  expect((await me({ headers: after })).status).toBe(200);
});
