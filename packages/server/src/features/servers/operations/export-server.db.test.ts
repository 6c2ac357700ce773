import { createHash } from 'node:crypto';
import { canonicalToolSurface } from '@proofmark/domain';
import { saveServer } from '@proofmark/harness/diagnosed-server.ts';
import {
  type FakeAnswer,
  type FakeMcpServer,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let server: FakeMcpServer;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
});
afterEach(() => server.stop());
afterAll(() => service.stop());

async function exported(toolsList: FakeAnswer) {
  server = await startFakeMcpServer({ 'tools/list': toolsList });
  return (await saveServer(service, tenant, { url: server.url })).ask('export');
}

test('a tool with a number that is none is an invalid answer of the server', async () => {
  const answer = await exported((response, { message }) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"jsonrpc":"2.0","id":${message['id']},"result":{"tools":[{"name":"a","x":1e999}]}}`),
  );
  expect(answer).toMatchObject({
    status: 502,
    body: { code: 'SERVER_UNREACHABLE', details: { reason: 'INVALID_RESPONSE' } },
  });
});

test('megabytes of tools, spelled in several turns, have the hash of them all', async () => {
  const tools = Array.from({ length: 5 }, (_, at) => ({
    name: `tool-${9 - at}`,
    description: 'x'.repeat(300_000),
  }));
  const answer = await exported({ tools });
  expect(answer.body.tools).toEqual(tools);
  expect(answer.body.toolSurfaceHash).toBe(
    createHash('sha256').update(canonicalToolSurface(tools)).digest('hex'),
  );
});
