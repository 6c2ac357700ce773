import { type ConsolePerson, consolePerson } from '@proofmark/harness/console-person.ts';
import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import {
  type ModelScript,
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const keys: string[] = [];
const says =
  (text: string): ModelScript =>
  (_request, _count, authorization = 'none') => {
    keys.push(authorization);
    return { text };
  };
const steps = [
  { id: 'ask', kind: 'prompt', prompt: 'Who are you?' },
  { id: 'said', kind: 'assert', assertion: { type: 'responseContains', needle: 'first' } },
];
const judgement = '{"score":1,"reason":"fine","rubricHits":[]}';

let fixture: EvalFixture;
let other: OpenAiServer;
let owner: ConsolePerson;
let serverId: string;
beforeAll(async () => {
  fixture = await startEvalFixture({ one: says('first'), judge: () => ({ text: judgement }) });
  other = await startOpenAiServer({ one: says('second') });
  const { service, tenant } = fixture;
  owner = await consolePerson(service, { ...tenant, email: 'owner@acme.example' });
  serverId = (await fixture.mcpServer()).id;
});
afterAll(async () => {
  await fixture.stop();
  await other.stop();
});

const at = (name: string) =>
  `organizations/${fixture.tenant.organizationId}/model-providers/${name}`;

async function set(name: string, expectedRevision: number, more: object = {}): Promise<void> {
  const answer = await owner.ask('PUT', at(name), {
    kind: 'openai-compatible',
    baseUrl: fixture.provider.baseUrl,
    apiKey: `sk-${name}`,
    models: [{ name: 'one', inputPerMillion: 1, outputPerMillion: 2 }],
    expectedRevision,
    ...more,
  });
  expect(answer.status, answer.text).toBe(200);
}

const suiteOn = (model: string, patch?: object) =>
  fixture.suite({
    serverIds: [serverId],
    model,
    cases: [{ title: 'Who', steps }],
    ...(patch !== undefined && { patch }),
  });
const launch = async (suiteId: string): Promise<string> =>
  (await fixture.get(202, 'POST', 'eval-runs', { suiteId })).runId;

test('a provider that is set is used by the next launch, with its key and price, and no restart', async () => {
  const suiteId = await suiteOn('fresh/one');
  const before = await fixture.ask('POST', 'eval-runs', { suiteId });
  expect(before).toMatchObject({ status: 400, body: { details: { model: 'fresh/one' } } });
  await set('fresh', 0);
  await fixture.run(suiteId);
  const ended = await fixture.run(suiteId);
  expect(ended.run).toMatchObject({ status: 'completed', result: 'passed' });
  expect(keys.at(-1)).toBe('Bearer sk-fresh');
  const compared = await fixture.get(200, 'GET', `eval-runs/${ended.runId}/compare`);
  expect(compared.metrics.estimatedCostUsd).toMatchObject({ compare: 0.00002 });
  await owner.ask('DELETE', at('fresh'));
  expect((await fixture.ask('POST', 'eval-runs', { suiteId })).status).toBe(400);
});

test('a run that was launched keeps what it was launched with, whatever is changed or deleted', async () => {
  await set('kept', 0);
  const suiteId = await suiteOn('kept/one');
  let runs: string[] = [];
  await fixture.restartWorker({
    meanwhile: async () => {
      runs = [await launch(suiteId), await launch(suiteId)];
      await set('kept', 1, { baseUrl: other.baseUrl, apiKey: 'sk-later' });
    },
  });
  for (const runId of runs) {
    expect((await fixture.read(runId)).run).toMatchObject({ result: 'passed' });
  }
  expect(new Set(keys.slice(-2))).toEqual(new Set(['Bearer sk-kept']));
  expect((await fixture.run(suiteId)).run).toMatchObject({ result: 'failed' });
  expect(keys.at(-1)).toBe('Bearer sk-later');
  await set('kept', 2);
  await fixture.restartWorker({
    meanwhile: async () => {
      runs = [await launch(suiteId)];
      expect((await owner.ask('DELETE', at('kept'))).status).toBe(200);
    },
  });
  expect((await fixture.read(runs[0] as string)).run).toMatchObject({ result: 'passed' });
});

test('what a run keeps of its providers is sealed, only what it needs, and gone when it ends', async () => {
  await set('sealed', 0);
  await set('unused', 0);
  const { sql } = fixture.service.owner;
  const { organizationId } = fixture.tenant;
  const pinned = async (runId: string) => {
    const [row] = await sql`select sealed_providers from eval_run_plans where run_id = ${runId}`;
    return row?.['sealedProviders'] as Buffer | null;
  };
  const suiteId = await suiteOn('sealed/one');
  let runId = '';
  await fixture.restartWorker({
    meanwhile: async () => {
      runId = await launch(suiteId);
      const sealed = (await pinned(runId)) as Buffer;
      expect(sealed.toString('latin1')).not.toContain('sk-sealed');
      const field = { organizationId, rowId: runId, field: 'pinnedProviders' };
      const opened = JSON.parse(fixture.service.vault.open(sealed, field));
      expect(opened.map(({ name }: { name: string }) => name)).toEqual(['sealed']);
    },
  });
  await fixture.read(runId);
  expect(await pinned(runId)).toBeNull();
});

test('a judge that speaks at the end has them too, and one that is asked later those of then', async () => {
  const offered = { models: [{ name: 'one' }, { name: 'judge' }] };
  await set('judging', 0, offered);
  const judge = { enabled: true, model: 'judging/judge', autoRun: true };
  const suiteId = await suiteOn('judging/one', { settings: { judge } });
  let runId = '';
  await fixture.restartWorker({
    meanwhile: async () => {
      runId = await launch(suiteId);
      await owner.ask('DELETE', at('judging'));
    },
  });
  await fixture.read(runId);
  expect(await fixture.judged(runId)).toMatchObject({ status: 'completed' });
  const again = { enable: true, model: 'judging/judge', force: true };
  expect((await fixture.ask('POST', `eval-runs/${runId}/judge`, again)).status).toBe(400);
  await set('judging', 0, offered);
  const before = fixture.provider.count('judge');
  await fixture.get(202, 'POST', `eval-runs/${runId}/judge`, again);
  expect(await fixture.judged(runId)).toMatchObject({ status: 'completed' });
  expect(fixture.provider.count('judge')).toBeGreaterThan(before);
});

test('a key of the caller goes to the provider of the organization that it is sent for', async () => {
  await set('keyed', 0, { models: [] });
  const suiteId = await suiteOn('keyed/one');
  const ended = await fixture.run(suiteId, { modelApiKeys: { keyed: 'sk-of-the-caller' } });
  expect(ended.run).toMatchObject({ result: 'passed' });
  expect(keys.at(-1)).toBe('Bearer sk-of-the-caller');
});
