import { allOperations, basePaths, ErrorBody, type Operation } from '@proofmark/contract';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { canary, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createExample } from './examples.ts';
import { stopExamples } from './real-server.ts';

/** Created once: compiling a new schema costs fifty times the CPU of a validation with it. */
const StrictErrorBody = ErrorBody.strict();

const rows = allOperations.filter((row) => row.outbound && row.path.includes('{serverId}'));
let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
});
afterAll(async () => {
  await service.stop();
  await stopExamples();
});

async function send(row: Operation, serverId: string, body?: unknown) {
  const values: Record<string, string> = { projectId: tenant.projectId, serverId };
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'missing');
  const answer = await call(service.baseUrl + basePaths[row.surface] + path, {
    method: row.method,
    key: tenant.key,
    body,
  });
  expect(answer.text).not.toContain(canary);
  return answer;
}

test('there are the fifteen of them', () => {
  expect(rows).toHaveLength(15);
});

describe.each(rows.map((row) => [row.operationId, row] as const))('%s', (_, row) => {
  test('of a server that is not there: 502 with the reason, or a report that says so', async () => {
    const { body } = await createExample(service, tenant, row);
    const answer = await send(row, tenant.serverId, aboutOwnServer(body as object));
    if (answer.status === row.status) {
      expect(row.output.safeParse(answer.body).error).toBeUndefined();
      return;
    }
    expect(answer.status, answer.text).toBe(502);
    expect(StrictErrorBody.parse(answer.body)).toMatchObject({
      code: 'SERVER_UNREACHABLE',
      details: { reason: 'CONNECT_FAILED', cause: 'UNREACHABLE' },
    });
  });

  test('a body that says nothing may be left out', async () => {
    const { values } = await createExample(service, tenant, row);
    const answer = await send(row, values?.['serverId'] ?? '');
    const takesNothing = row.body?.safeParse({}).success;
    expect(answer.status, answer.text).toBe(takesNothing ? row.status : 400);
  });
});

function aboutOwnServer(body: object): object {
  return 'serverUrl' in body ? { ...body, serverUrl: 'http://127.0.0.1:9/mcp' } : body;
}
