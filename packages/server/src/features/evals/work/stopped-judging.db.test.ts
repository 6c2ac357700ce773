import { closeServers } from '@proofmark/harness/hostile-servers.ts';
import { createLauncher } from '@proofmark/harness/launcher.ts';
import { startScriptedServer } from '@proofmark/harness/scripted-mcp-server.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker } from '@proofmark/harness/test-worker.ts';
import { createTenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createScriptedModel } from '../../../outside/model/scripted-model.ts';

let service: TestService;
const asked: string[] = [];
let isPatient = true;
/**
 * A judge that does not answer about the second case before its timeout, and gives an unusable
 * answer about the third.
 */
const model = createScriptedModel(({ messages }) => {
  const question = messages.findLast(({ role }) => role === 'user')?.content;
  if (typeof question !== 'string' || !question.startsWith('<material>')) return { text: 'Five.' };
  const isSecond = question.includes('And the second?');
  const isThird = question.includes('And the third?');
  asked.push(isSecond ? 'second' : isThird ? 'third' : 'first');
  if (isSecond && isPatient) return new Promise(() => undefined);
  if (isThird && isPatient) return { text: 'I cannot say.' };
  return { text: '{"score": 0.5, "reason": "Half of it.", "rubricHits": []}' };
}, 'scripted/one');

beforeAll(async () => {
  service = await startTestService({ models: model });
});
afterAll(async () => {
  await closeServers();
  await service.stop();
});

test('what a judge has answered when the process stops is kept, and what failed is asked again', async () => {
  const launcher = createLauncher(service, await createTenant(service, 'stopped'));
  const server = await startScriptedServer({ 'tools/list': { result: { tools: [] } } });
  const shop = { name: 'Shop', enabled: true, transportType: 'http', url: server.url };
  const serverId = (await launcher.ask('POST', 'servers', shop)).body.id;
  const suiteId = await launcher.suite({
    serverIds: [serverId],
    model: 'scripted/one',
    settings: { judge: { enabled: true, autoRun: true, model: 'scripted/one' } },
    tests: ['And the first?', 'And the second?', 'And the third?'].map((prompt) => ({
      title: prompt,
      expectedOutput: 'A number.',
      steps: [{ id: 'ask', kind: 'prompt', prompt }],
    })),
  });
  const stopped = await startTestWorker(service, model);
  const runId = await launcher.launch({ suiteId });
  await vi.waitUntil(() => new Set(asked).size === 3, { timeout: 10_000 });
  // Waits until all requests about the third case have ended.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await stopped.stop();
  isPatient = false;
  const next = await startTestWorker(service, model);
  const goal = async () =>
    (await launcher.ask('GET', `eval-runs/${runId}`)).body.judges.goalCompletion;
  await expect.poll(async () => (await goal()).status, { timeout: 10_000 }).toBe('completed');
  expect((await goal()).cases).toMatchObject([{ score: 0.5 }, { score: 0.5 }, { score: 0.5 }]);
  expect(asked.filter((one) => one !== 'third').sort()).toEqual(['first', 'second', 'second']);
  await next.stop();
}, 30_000);
