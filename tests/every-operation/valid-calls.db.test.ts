/**
 * Tests one valid call of each public operation, generated from the contract. This is a separate
 * file so that it can also run on the system's PostgreSQL, which then sees the statements of every
 * operation.
 */
import { allOperations } from '@proofmark/contract';
import { documentedProblems } from '@proofmark/harness/documented-answer.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { canary, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultRunLimits } from '../../packages/server/src/platform/spending/run-limits.ts';
import { createExample } from './examples.ts';
import { stopExamples } from './real-server.ts';
import { requestUrl } from './request-url.ts';

const apiRows = allOperations.filter((row) => row.surface === 'api');

let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 1000 } });
  tenant = await createTenant(service, 'mine');
  await service.operator.setFeature(tenant.organizationId, 'swarms', 'on');
  await service.operator.setFeature(tenant.organizationId, 'user-testing', 'on');
  // A trial is exported only some time after its end, so the ends are moved into the past.
  await service.owner.sql`update eval_iterations set ended_at = ended_at - interval '1 minute'`;
});
afterAll(async () => {
  await service.stop();
  await stopExamples();
});

test.each(apiRows.map((row) => [row.operationId, row] as const))(
  '%s: a valid call answers its status and its schema, and no secret',
  async (_, row) => {
    const { values, ...body } = await createExample(service, tenant, row);
    const url = requestUrl(service.baseUrl, row, { ...tenant, ...values });
    const answer = await call(url, { method: row.method, key: tenant.key, ...body });
    expect(answer.status, answer.text).toBe(row.status);
    expect(row.output.safeParse(answer.body).error).toBeUndefined();
    expect(documentedProblems(row, answer.body)).toEqual([]);
    expect(answer.text).not.toContain(canary);
    expect(answer.text).not.toMatch(/\bat .*\.ts:\d+|select .* from|node_modules/i);
  },
);

test('no log line of these calls held a key, a secret or a header', () => {
  expect(service.logLines.length).toBeGreaterThan(apiRows.length);
  for (const line of service.logLines)
    expect(line).not.toMatch(/canary-|sk_[A-Za-z0-9]{10}|Bearer /);
});
