import { type FakeRenderer, fakeRenderer } from '@proofmark/harness/fake-widget-renderer.ts';
import {
  type FakeMcpServer,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { act, callOf, see, shop } from '@proofmark/harness/play-widgets.ts';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker, untilEnded } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BrowserLost } from '../../../outside/browser/widget-renderer.ts';
import { createScriptedModel } from '../../../outside/model/scripted-model.ts';
import { defaultRunLimits } from '../../../platform/spending/run-limits.ts';

let service: TestService;
let tenant: Tenant;
let worker: TestWorker;
let ask: ProjectCaller;
let server: FakeMcpServer;
let serverId: string;
let renderer: FakeRenderer;
let isLost = false;

beforeAll(async () => {
  const model = createScriptedModel(async () => ({ text: 'Nine.' }), 'scripted/one');
  const runLimits = { ...defaultRunLimits, noWidgets: null };
  service = await startTestService({ models: model, runLimits });
  tenant = await createTenant(service, 'shown');
  ask = projectCaller(service, tenant);
  renderer = fakeRenderer(() => ({
    ask: (assertion) => {
      if (isLost) throw new BrowserLost('The browser went away.');
      const isThere = assertion.kind === 'textVisible' && assertion.text === 'Emma';
      return isThere ? { ok: true } : { ok: false, reason: 'The text is not visible.' };
    },
  }));
  worker = await startTestWorker(service, model, { widgets: renderer });
  server = await startFakeMcpServer(shop());
  const body = { name: 'Weather', enabled: true, transportType: 'http', url: server.url };
  serverId = (await ask('POST', 'servers', body)).body.id;
});
afterAll(async () => {
  await worker.stop();
  await server.stop();
  await service.stop();
});

const seeing = (text: string) => see({ kind: 'textVisible', toolName: 'form', text });
const launch = (text: string) =>
  ask('POST', 'eval-runs', {
    suiteName: `Shows ${text}`,
    serverIds: [serverId],
    tests: [{ title: text, steps: [callOf('form'), act(), seeing(text)], model: 'scripted/one' }],
  });

async function trialOf(launched: Awaited<ReturnType<typeof launch>>) {
  expect(launched.text).toContain('runId');
  await untilEnded(service, tenant, launched.body.runId);
  const { body } = await ask('GET', `eval-runs/${launched.body.runId}/iterations`);
  return body.items[0];
}

test('a case about a widget is graded by what the widget shows, and nobody is warned', async () => {
  const launched = await launch('Emma');
  expect(launched.body.warnings ?? []).toEqual([]);
  expect(await trialOf(launched)).toMatchObject({ status: 'completed', result: 'passed' });
  const failed = await trialOf(await launch('Persuasion'));
  expect(failed).toMatchObject({ status: 'completed', result: 'failed' });
  expect(failed.error).toBe('The text is not visible.');
  expect(renderer.now.open).toBe(0);
});

test('a browser that fails leaves a run undecided, and running it again shows the widget anew', async () => {
  isLost = true;
  const launched = await launch('Emma');
  const lost = await trialOf(launched);
  expect(lost).toMatchObject({ status: 'setup_failed', result: null });
  const { runId } = launched.body;
  const { body: summary } = await ask('GET', `eval-runs/${runId}/decision-summary`);
  expect(summary.verdict).toEqual(expect.any(String));
  expect(['passed', 'failed']).not.toContain(summary.verdict);
  isLost = false;
  const again = await ask('POST', `eval-runs/${runId}/rerun`, { scope: 'notGraded' });
  expect(await trialOf(again)).toMatchObject({ status: 'completed', result: 'passed' });
});

test('it is told that widgets can be tested', async () => {
  const { body } = await ask('GET', 'capabilities');
  expect(body.widgets).toEqual({ testable: true, reason: null });
});
