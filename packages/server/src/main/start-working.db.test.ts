/**
 * A separate worker has no public name and does not listen, but judges a dead server like the
 * service does.
 */
import { createServer } from 'node:net';
import { createLauncher } from '@proofmark/harness/launcher.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { untilEnded } from '@proofmark/harness/test-worker.ts';
import { createTenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMcpGateway } from '../outside/mcp/create-mcp-gateway.ts';
import { createModelGateway } from '../outside/model/create-model-gateway.ts';
import { createLog } from './log.ts';
import { resolveSettings } from './settings.ts';
import { startWorking } from './start-working.ts';

const egress = { allowLoopback: true, allowedPrivateHosts: [] };
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function startDeadServer() {
  const server = createServer((socket) => void socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/mcp`, stop: () => server.close() };
}

test.each([
  ['no public name', {}],
  ['a public name nobody answers', { PROOFMARK_PUBLIC_URL: 'http://proofmark.invalid' }],
])('with %s', async (_, environment) => {
  const tenant = await createTenant(service, `dead-${Object.keys(environment).length}`);
  const dead = await startDeadServer();
  const { ask, inline, launch } = createLauncher(service, tenant);
  const fields = { name: 'Dead', enabled: true, transportType: 'http', url: dead.url };
  const { id } = (await ask('POST', 'servers', fields)).body;
  const [mcp, models] = [
    createMcpGateway({ egress, client: { name: 'proofmark-test', version: '1' } }),
    createModelGateway({ egress }),
  ];
  const logLines: string[] = [];
  const worker = await startWorking(resolveSettings({}, environment).settings, {
    store: {
      ...service,
      work: service.database,
      warnings: [],
      url: service.serviceUrl,
      close: async () => undefined,
      closeOwner: async () => undefined,
    },
    widgets: { missing: 'No widget is shown here.' },
    egress,
    mcp,
    models,
    stdioAddressOf: () => undefined,
    isWorkerAlone: true,
    log: createLog('info', { write: (line) => void logLines.push(line) }),
  });
  try {
    const runId = await launch(inline({ serverIds: [id] }));
    await untilEnded(service, tenant, runId);
    const { items } = (await ask('GET', `eval-runs/${runId}/iterations`)).body;
    expect(items[0].stageResults[0]).toMatchObject({ state: 'failed', reason: 'connectFailed' });
    expect(logLines.join('')).toContain('cannot be told apart');
  } finally {
    await worker.stop();
    await mcp.close();
    await models.close();
    dead.stop();
  }
});
