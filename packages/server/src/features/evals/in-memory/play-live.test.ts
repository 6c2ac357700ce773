import { closeServers } from '@proofmark/harness/hostile-servers.ts';
import { startScriptedServer } from '@proofmark/harness/scripted-mcp-server.ts';
import { afterAll, expect, test } from 'vitest';
import { createMcpGateway } from '../../../outside/mcp/create-mcp-gateway.ts';
import { createScriptedModel } from '../../../outside/model/scripted-model.ts';
import { linearPatterns } from '../../../outside/patterns/linear-patterns.ts';
import { defaultRunLimits } from '../../../platform/spending/run-limits.ts';
import { presentServer, refuseBlockedUrls, serverNameTaken } from '../../servers/index.ts';
import { InMemoryProject } from './in-memory-project.ts';
import { playerOfServers } from './play-live.ts';

const mcp = createMcpGateway({
  egress: { allowLoopback: true, allowedPrivateHosts: [] },
  client: { name: 'proofmark-test', version: '1' },
});
afterAll(async () => {
  await mcp.close();
  await closeServers();
});

const secret = 'sk-live-9f8e7d6c5b4a39281706';
const suite = JSON.stringify({
  schemaVersion: '1',
  suite: { id: 'shop', name: 'Shop' },
  target: { servers: [{ name: 'Shop' }] },
  defaults: { model: 'scripted/one' },
  cases: [
    {
      id: 'asks',
      title: 'Asks',
      steps: [{ kind: 'prompt', prompt: 'How many?' }],
      assertions: [{ type: 'toolCalledAtLeastOnce', toolName: 'stock' }],
    },
  ],
});

test('the last error of a trial that we could not run holds no secret of a server', async () => {
  const { url } = await startScriptedServer({
    'tools/list': { result: { tools: [{ name: 'stock', inputSchema: { type: 'object' } }] } },
  });
  const models = createScriptedModel(() => {
    throw new Error(`It broke at ${secret}.`);
  });
  const ways = {
    mcp,
    models,
    patterns: linearPatterns,
    callsPerServer: 4,
    verifyEgress: async () => true,
    sign: (purpose: string, text: string) => `${purpose} ${text}`,
  };
  const project = new InMemoryProject(
    {
      models,
      patterns: linearPatterns,
      limits: { ...defaultRunLimits, noWidgets: null },
      live: (run) => playerOfServers(run, ways),
    },
    { presentServer, refuseBlockedUrls, serverNameTaken, mayReach: () => true },
  );
  const { id } = project.servers.create({
    name: 'Shop',
    enabled: true,
    transportType: 'http',
    url,
    headers: { Authorization: `Bearer ${secret}` },
  });
  const { suiteId } = await project.importSuite({ content: suite, serverIds: { Shop: id } });
  const { runId } = project.launch({ suiteId });
  await expect.poll(() => project.readRun(runId).completedAt).not.toBeNull();
  const [trial] = project.readTrials(runId, {}, {}).items;
  expect(trial?.error).toMatch(/ The last error: It broke at \[hidden\]\.$/);
  await project.close();
});
