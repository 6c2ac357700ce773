import { closeServers } from '@proofmark/harness/hostile-servers.ts';
import {
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { startScriptedServer } from '@proofmark/harness/scripted-mcp-server.ts';
import { suiteFile } from '@proofmark/harness/suite-file.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker, untilEnded } from '@proofmark/harness/test-worker.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScriptedModel } from '../../../outside/model/scripted-model.ts';

let service: TestService;
let tenant: Tenant;
let worker: TestWorker;
let ask: ProjectCaller;
const model = createScriptedModel(async () => ({ text: 'Nine.' }), 'scripted/one');

beforeAll(async () => {
  service = await startTestService({ models: model });
  tenant = await createTenant(service, 'warned');
  ask = projectCaller(service, tenant);
  worker = await startTestWorker(service, model);
});
afterAll(async () => {
  await worker.stop();
  await closeServers();
  await service.stop();
});

const prompt = { id: 'ask', kind: 'prompt', prompt: 'Open?' };
const never = { type: 'toolNeverCalled', toolName: 'burn' };
const nonEmptyAnswer = { type: 'finalAssistantMessageNonEmpty' };
const neverBurns = {
  title: 'Never burns',
  steps: [prompt],
  checks: { mode: 'replace', list: [never] },
};
const asserts = {
  title: 'Says',
  steps: [prompt],
  checks: { mode: 'replace', list: [nonEmptyAnswer] },
};
const bare = { title: 'Bare', steps: [prompt] };

function fileOf(changes: object): string {
  return JSON.stringify(suiteFile('warned', changes));
}

async function makeServer(name: string): Promise<string> {
  const tools = [{ name: 'stock', inputSchema: { type: 'object' } }];
  const { url } = await startScriptedServer({ 'tools/list': { result: { tools } } });
  const body = { name, enabled: true, transportType: 'http', url };
  return (await ask('POST', 'servers', body)).body.id;
}

function codesOf({
  body,
  text,
}: {
  body: { warnings?: { path: string; code: string }[] };
  text: string;
}) {
  if (body.warnings === undefined) throw new Error(text);
  return body.warnings.map(({ path, code }) => `${code} ${path}`);
}

test('what a trial was listed is not forgotten for what diagnostics are, which declare less', async () => {
  const sums = { name: 'sum', inputSchema: { type: 'object' } };
  const asks = { name: 'ask', inputSchema: { type: 'object' } };
  let lists = 0;
  const server = await startFakeMcpServer({
    'tools/list': (response, request) => {
      lists += 1;
      const tools = lists === 1 ? [sums, asks] : [sums];
      sendJson(response, rpcResult(request, { tools }));
    },
  });
  const { url } = server;
  const body = { name: 'Lists more to trials', enabled: true, transportType: 'http', url };
  const { id } = (await ask('POST', 'servers', body)).body;
  const check = { type: 'toolCalledAtLeastOnce', toolName: 'ask' };
  const tests = [{ ...asserts, checks: { mode: 'replace', list: [check] } }];
  const suite = { name: 'Asks', serverIds: [id], model: 'scripted/one', tests };
  const { suiteId } = (await ask('POST', 'eval-suites', suite)).body;
  const { runId } = (await ask('POST', 'eval-runs', { suiteId })).body;
  await untilEnded(service, tenant, runId);
  expect((await ask('POST', `servers/${id}/tools`, {})).text).not.toContain('"ask"');
  const again = await ask('POST', 'eval-runs', { suiteId });
  expect(codesOf(again)).toEqual([]);
  await untilEnded(service, tenant, again.body.runId);
  await server.stop();
});

test('what was listed is known after a run; a run counts the case variants that assert nothing', async () => {
  const serverIds = [await makeServer('Listed by a run')];
  const suite = { name: 'Burns', serverIds, model: 'scripted/one' };
  const made = await ask('POST', 'eval-suites', { ...suite, tests: [neverBurns, asserts, bare] });
  // The servers have not been listed yet, so there are no warnings about tools.
  expect(codesOf(made)).toEqual(['CASE_ASSERTS_NOTHING body.tests[2]']);
  const { suiteId } = made.body;
  const launched = await ask('POST', 'eval-runs', { suiteId });
  expect(codesOf(launched)).toEqual(['CASE_ASSERTS_NOTHING cases[2]']);
  expect((await ask('GET', `eval-runs/${launched.body.runId}`)).body.assertsNothing).toEqual({
    caseVariants: expect.any(Number),
    titles: expect.arrayContaining(['Bare']),
  });
  const run = await untilEnded(service, tenant, launched.body.runId);
  expect(run).toMatchObject({
    result: 'passed',
    assertsNothing: { caseVariants: 2, titles: ['Never burns', 'Bare'] },
  });

  const expected = [
    'CASE_ASSERTS_NOTHING cases[0]',
    'TOOL_NOT_LISTED cases[0].checks.list[0]',
    'CASE_ASSERTS_NOTHING cases[2]',
  ];
  const key = { idempotencyKey: 'again' };
  const second = await ask('POST', 'eval-runs', { suiteId, ...key });
  expect(codesOf(second)).toEqual(expected);
  expect(codesOf(await ask('POST', 'eval-runs', { suiteId, ...key }))).toEqual(expected);
  const edited = await ask('PATCH', `eval-suites/${suiteId}`, {
    settings: { checks: [nonEmptyAnswer] },
  });
  expect(codesOf(edited)).toEqual([
    ...['CASE_ASSERTS_NOTHING cases[0]', 'TOOL_NOT_LISTED cases[0].checks.list[0]'],
  ]);
  // After an edit, the entry may mean another server, so the earlier tool list no longer counts.
  await untilEnded(service, tenant, second.body.runId);
  const renamed = await ask('PATCH', `servers/${serverIds[0]}`, { name: 'Another' });
  expect(renamed.status, renamed.text).toBe(200);
  const again = await ask('PATCH', `eval-suites/${suiteId}`, { settings: { checks: null } });
  expect(codesOf(again)).toEqual(['CASE_ASSERTS_NOTHING cases[2]']);
});

describe('of a server whose tools were listed by hand', () => {
  let serverId: string;
  let suiteId: string;
  beforeAll(async () => {
    serverId = await makeServer('Listed by hand');
    const listed = await ask('POST', `servers/${serverId}/tools`, {});
    expect(listed.status, listed.text).toBe(200);
    const suite = { name: 'By hand', serverIds: [serverId], model: 'scripted/one' };
    const made = await ask('POST', 'eval-suites', { ...suite, tests: [asserts] });
    expect(codesOf(made)).toEqual([]);
    ({ suiteId } = made.body);
  });

  test('what the request states is told as refusals tell it, what the suite has by its place there', async () => {
    const settings = { checks: [{ type: 'firstToolWas', toolName: 'burn' }] };
    const suite = { name: 'Stated', serverIds: [serverId], model: 'scripted/one' };
    const made = await ask('POST', 'eval-suites', { ...suite, settings, tests: [bare] });
    expect(codesOf(made)).toEqual(['TOOL_NOT_LISTED body.settings.checks[0]']);
    const place = `eval-suites/${made.body.suiteId}`;
    const renamed = await ask('PATCH', place, { name: 'Stated again' });
    expect(codesOf(renamed)).toEqual(['TOOL_NOT_LISTED settings.checks[0]']);
    const restated = await ask('PATCH', place, { settings });
    expect(codesOf(restated)).toEqual(['TOOL_NOT_LISTED body.settings.checks[0]']);
  });

  test('a name in allowWrites that no server lists is told where the suite is written, and only there', async () => {
    const settings = { allowWrites: ['stock', 'stok'] };
    const suite = { name: 'Allows', serverIds: [serverId], model: 'scripted/one' };
    const made = await ask('POST', 'eval-suites', { ...suite, settings, tests: [asserts] });
    expect(codesOf(made)).toEqual(['TOOL_NOT_LISTED body.settings.allowWrites[1]']);
    expect(made.body.warnings[0].message).toContain('allowWrites names "stok"');
    const place = `eval-suites/${made.body.suiteId}`;
    const renamed = await ask('PATCH', place, { name: 'Allows again' });
    expect(codesOf(renamed)).toEqual(['TOOL_NOT_LISTED settings.allowWrites[1]']);
    const restated = await ask('PATCH', place, { settings });
    expect(codesOf(restated)).toEqual(['TOOL_NOT_LISTED body.settings.allowWrites[1]']);
    expect(codesOf(await ask('POST', `${place}/cases`, asserts))).toEqual([]);
    const content = fileOf({
      target: { servers: [{ name: 'Listed by hand' }] },
      defaults: { model: 'scripted/one', ...settings },
      cases: [{ id: 'a', title: 'A', steps: [prompt], assertions: [nonEmptyAnswer] }],
    });
    const imported = await ask('POST', 'eval-suites/import', { content });
    expect(codesOf(imported)).toContain('TOOL_NOT_LISTED body.content.defaults.allowWrites[1]');
  });

  test('every way to write cases warns, and the case is written', async () => {
    const cases = `eval-suites/${suiteId}/cases`;
    const unlisted = { type: 'firstToolWas', toolName: 'burn' };
    const step = { id: 'first', kind: 'assert', assertion: unlisted };
    const one = await ask('POST', cases, { title: 'One', steps: [prompt, step] });
    expect(codesOf(one)).toEqual(['TOOL_NOT_LISTED body.steps[1].assertion']);
    const edited = await ask('PATCH', `${cases}/${one.body.id}`, { steps: [prompt] });
    expect(codesOf(edited)).toEqual(['CASE_ASSERTS_NOTHING body']);
    const batch = await ask('POST', `${cases}/batch`, { cases: [asserts, bare] });
    expect(codesOf(batch)).toEqual(['CASE_ASSERTS_NOTHING body.cases[1]']);
    const press = {
      id: 'press',
      kind: 'interact',
      toolName: 'stock',
      action: { kind: 'wait', ms: 1 },
    };
    const launched = await ask('POST', 'eval-runs', {
      suiteName: 'Sent along',
      serverIds: [serverId],
      tests: [
        { ...bare, assertions: [unlisted], model: 'scripted/one' },
        { title: 'Presses', steps: [prompt, press], model: 'scripted/one' },
      ],
    });
    expect(codesOf(launched)).toEqual([
      ...[
        'TOOL_NOT_LISTED body.tests[0].assertions[0]',
        'WIDGETS_NOT_TESTED_HERE body.tests[1].steps[1]',
      ],
    ]);
    const content = fileOf({
      target: { servers: [{ name: 'Listed by hand' }] },
      cases: [{ id: 'a', title: 'A', steps: [prompt], assertions: [unlisted] }],
    });
    expect(codesOf(await ask('POST', 'eval-suites/import', { content }))).toContain(
      'TOOL_NOT_LISTED body.content.cases[0].assertions[0]',
    );
  });

  test('a pattern that cannot be run is refused wherever it is written', async () => {
    const matches = { type: 'responseMatches', pattern: '(?<=a)b' };
    const step = { id: 'is', kind: 'assert', assertion: matches };
    const steps = [prompt, step];
    const checks = { mode: 'replace', list: [nonEmptyAnswer, matches] };
    const suite = { name: 'x', serverIds: [serverId], model: 'scripted/one' };
    const cases = `eval-suites/${suiteId}/cases`;
    const caseId = (await ask('GET', cases)).body.items[0].id;
    const file = fileOf({
      target: { servers: [{ name: 'Listed by hand' }] },
      cases: [{ id: 'a', title: 'A', steps: [prompt], assertions: [matches] }],
    });
    const table: [string, 'POST' | 'PATCH', string, object][] = [
      [
        'body.tests[0].steps[1].assertion.pattern',
        'POST',
        'eval-suites',
        { ...suite, tests: [{ ...bare, steps }] },
      ],
      [
        'body.tests[0].assertions[0].pattern',
        'POST',
        'eval-suites',
        { ...suite, tests: [{ ...bare, assertions: [matches] }] },
      ],
      [
        'body.settings.checks[0].pattern',
        'POST',
        'eval-suites',
        { ...suite, tests: [bare], settings: { checks: [matches] } },
      ],
      [
        'body.settings.checks[0].pattern',
        'PATCH',
        `eval-suites/${suiteId}`,
        { settings: { checks: [matches] } },
      ],
      ['body.checks.list[1].pattern', 'POST', cases, { ...bare, checks }],
      ['body.checks.list[1].pattern', 'PATCH', `${cases}/${caseId}`, { checks }],
      [
        'body.tests[0].steps[1].assertion.pattern',
        'POST',
        'eval-runs',
        {
          suiteName: 'x',
          serverIds: [serverId],
          tests: [{ ...bare, steps, model: 'scripted/one' }],
        },
      ],
      [
        'body.content.cases[0].assertions[0].pattern',
        'POST',
        'eval-suites/import',
        { content: file },
      ],
    ];
    for (const [path, method, place, body] of table) {
      const answer = await ask(method, place, body);
      expect([answer.status, answer.body.details?.path], answer.text).toEqual([400, path]);
      expect(answer.body.message).toContain('cannot be run');
    }
    const batch = await ask('POST', `${cases}/batch`, { cases: [{ ...bare, steps }] });
    expect(batch.body.failed).toMatchObject([
      { code: 'INVALID_CASE', message: expect.stringContaining('cannot be run') },
    ]);
    const nested = { ...matches, pattern: '(a+)+b' };
    const fine = { ...bare, title: 'Nested', checks: { mode: 'replace', list: [nested] } };
    expect((await ask('POST', cases, fine)).status).toBe(201);
  });
});
