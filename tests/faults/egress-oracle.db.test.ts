/**
 * Tests that a name with a forbidden address reveals nothing about it: the answer is identical to
 * the byte whether a port is open, closed or unreachable.
 */

import { saveServer } from '@proofmark/harness/diagnosed-server.ts';
import { closeServers, startServer } from '@proofmark/harness/hostile-servers.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMcpGateway } from '../../packages/server/src/outside/mcp/create-mcp-gateway.ts';

const addresses: Readonly<Record<string, string>> = {
  'open.example': '127.0.0.1',
  'closed.example': '127.0.0.1',
  'nobody.example': '10.255.255.1',
  'metadata.example': '169.254.169.254',
};
let service: TestService;
let tenant: Tenant;
let open: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  open = await startServer((_request, response) => response.end('{}'));
  const lookup = async (name: string) => [{ address: addresses[name] ?? '127.0.0.1', family: 4 }];
  const egress = { allowLoopback: false, allowedPrivateHosts: [], lookup };
  const mcp = createMcpGateway({ egress, client: { name: 'test', version: '1' } });
  service = await startTestService({ mcp });
  tenant = await createTenant(service, 'oracle');
});
afterAll(async () => {
  await service.stop();
  await closeServers();
});

test('open port, closed port, nobody there and metadata get one and the same answer', async () => {
  const ports = { 'open.example': open.port, 'closed.example': 1 } as Record<string, number>;
  const answers = new Set<string>();
  const medians: Record<string, number> = {};
  for (const name of Object.keys(addresses)) {
    const url = `http://${name}:${ports[name] ?? 80}/mcp`;
    const { ask } = await saveServer(service, tenant, { url });
    const times: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      const startedAtMs = performance.now();
      const { status, text } = await ask('validate');
      times.push(performance.now() - startedAtMs);
      answers.add(`${status} ${text}`);
    }
    medians[name] = Math.round(times.sort((a, b) => a - b)[15] as number);
  }
  // The medians are only printed: a difference would be an oracle, but on a busy machine it can
  // occur by chance.
  console.log(`distinct answers: ${answers.size}; median ms: ${JSON.stringify(medians)}`);
  expect([...answers]).toHaveLength(1);
  expect([...answers][0]).toMatch(/^502 .*"reason":"EGRESS_BLOCKED"/);
  expect([...answers][0]).not.toMatch(/127\.0|10\.255|169\.254|example/);
  expect(open.connections()).toBe(0);
});
