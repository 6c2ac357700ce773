import { closeServers } from '@proofmark/harness/hostile-servers.ts';
import { createLauncher } from '@proofmark/harness/launcher.ts';
import { startScriptedServer } from '@proofmark/harness/scripted-mcp-server.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, untilEnded } from '@proofmark/harness/test-worker.ts';
import { createTenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createScriptedModel } from '../../outside/model/scripted-model.ts';
import { defaultRunLimits } from '../../platform/spending/run-limits.ts';

let service: TestService;
const disk = { isFull: false, asked: 0 };
const model = createScriptedModel(() => {
  disk.asked += 1;
  if (disk.asked === 1) disk.isFull = true;
  return { text: 'Five.' };
}, 'scripted/one');
beforeAll(async () => {
  const runLimits = { ...defaultRunLimits, trialsAtOncePerRun: 1 };
  service = await startTestService({ models: model, runLimits });
});
afterAll(async () => {
  await closeServers();
  await service.stop();
});

test('the trial under way is written, the next of its slice begins when there is room again', async () => {
  const tenant = await createTenant(service, 'full');
  const launcher = createLauncher(service, tenant);
  const server = await startScriptedServer({ 'tools/list': { result: { tools: [] } } });
  const shop = { name: 'Shop', enabled: true, transportType: 'http', url: server.url };
  const serverId = (await launcher.ask('POST', 'servers', shop)).body.id;
  const steps = [{ id: 'ask', kind: 'prompt', prompt: 'How many?' }];
  const suiteId = await launcher.suite({
    serverIds: [serverId],
    model: 'scripted/one',
    tests: ['One', 'Other'].map((title) => ({ title, runs: 10, steps })),
  });
  const worker = await startTestWorker(service, model, { mayBegin: () => !disk.isFull });
  const runId = await launcher.launch({ suiteId });
  const { sql } = service.owner;
  const [slice] = await sql<{ trials: number }[]>`
    select last_item - first_item + 1 as trials from leased_work where group_id = ${runId} and number = 1`;
  expect(slice?.trials).toBeGreaterThan(1);
  const givenBack = () =>
    sql`select from leased_work where group_id = ${runId} and status = 'open' and not_before is not null`;
  const done = () => sql`select from leased_work where group_id = ${runId} and status = 'done'`;
  await vi.waitUntil(async () => (await givenBack()).count + (await done()).count > 0, {
    timeout: 10_000,
  });
  expect(disk.asked).toBe(1);
  const trials = (await launcher.ask('GET', `eval-runs/${runId}/iterations`)).body.items;
  expect(trials.map(({ status }: { status: string }) => status).sort()).toEqual([
    'completed',
    ...Array(19).fill('pending'),
  ]);
  disk.isFull = false;
  expect(await untilEnded(service, tenant, runId)).toMatchObject({ status: 'completed' });
  expect(disk.asked).toBe(20);
  await worker.stop();
}, 40_000);
