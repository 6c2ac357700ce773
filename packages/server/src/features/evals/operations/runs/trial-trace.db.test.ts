import {
  insertProject,
  insertRun,
  insertSuite,
  insertTrace,
  insertTrialRows,
  type RunIds,
  type SuiteIds,
} from '@proofmark/harness/eval-rows.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let service: TestService;
let tenant: Tenant;
let suite: SuiteIds;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  suite = await insertSuite(service, tenant);
});
afterAll(() => service.stop());

function readTrace(run: RunIds, iterationId: string) {
  const url = `${service.baseUrl}/api/v1/projects/${run.projectId}/eval-runs/${run.runId}/iterations/${iterationId}/trace`;
  return call(url, { key: tenant.key });
}

async function traced(trial: object, trace: object): Promise<[RunIds, string]> {
  const run = await insertRun(service, suite);
  const [id] = await insertTrialRows(service, run, [{ ...trial }]);
  await insertTrace(service, run, { ...trace });
  return [run, id as string];
}

const messages = [
  { role: 'user', content: 'Find it.' },
  { role: 'assistant', content: [{ type: 'text', text: 'Done \u0000 \ud800 ✓' }] },
];

test('with turns of its own it is returned byte for byte', async () => {
  const trace = {
    zebra: [{ b: 1, a: null }],
    messages,
    prompts: [],
    traceVersion: 1,
    spans: [{ id: 's1', startMs: 0.5, unknown: { deep: [true] } }],
  };
  const answer = await readTrace(...(await traced({}, { trace })));
  expect(answer.status).toBe(200);
  expect(answer.text).toBe(JSON.stringify(trace));
});

describe('without turns, one is added', () => {
  const search = { toolName: 'search', arguments: { q: 'tea', page: 1 } };

  test('and everything else stays as it was', async () => {
    const calls = { expected_tool_calls: [search], actual_tool_calls: [search] };
    const details = { query: 'Find tea.', expectedOutput: 'Tea.' };
    const trace = { traceVersion: 1, messages, extra: { kept: true } };
    const answer = await readTrace(...(await traced(calls, { trace, details })));
    expect(answer.body).toEqual({
      ...trace,
      prompts: [
        {
          promptIndex: 0,
          prompt: 'Find tea.',
          expectedToolCalls: [search],
          actualToolCalls: [search],
          expectedOutput: 'Tea.',
          passed: true,
          missing: [],
          unexpected: [],
          argumentMismatches: [],
        },
      ],
    });
  });

  const asked = { toolName: 'search', arguments: { q: 'coffee', page: 1, size: 5 } };
  test.each<[string, object, object, object]>([
    [
      'no call was made',
      { expected_tool_calls: [search] },
      {},
      { passed: false, missing: [search], unexpected: [], argumentMismatches: [] },
    ],
    [
      'nothing was expected and nothing done',
      {},
      {},
      { passed: true, missing: [], unexpected: [], argumentMismatches: [] },
    ],
    [
      'another call was made beside it',
      { expected_tool_calls: [search], actual_tool_calls: [search, asked] },
      {},
      { passed: true, missing: [], unexpected: [asked] },
    ],
    [
      'the options allow no other call',
      { expected_tool_calls: [search], actual_tool_calls: [search, asked] },
      { matchOptions: { extraToolCalls: 0 } },
      { passed: false, missing: [], unexpected: [asked] },
    ],
    [
      'the arguments differ',
      { expected_tool_calls: [search], actual_tool_calls: [asked] },
      {},
      {
        passed: false,
        missing: [],
        unexpected: [],
        argumentMismatches: [{ expected: search, actual: asked, mismatchedArguments: ['q'] }],
      },
    ],
    [
      'the arguments must be exact',
      { expected_tool_calls: [search], actual_tool_calls: [asked] },
      { matchOptions: { arguments: 'exact' } },
      {
        passed: false,
        argumentMismatches: [
          { expected: search, actual: asked, mismatchedArguments: ['q', 'size'] },
        ],
      },
    ],
    [
      'an argument is missing',
      { expected_tool_calls: [asked], actual_tool_calls: [search] },
      {},
      {
        argumentMismatches: [
          { expected: asked, actual: search, mismatchedArguments: ['q', 'size'] },
        ],
      },
    ],
    [
      'the test is a negative one',
      { actual_tool_calls: [search] },
      { isNegativeTest: true },
      { passed: false, unexpected: [search] },
    ],
    [
      'the options make no sense',
      { expected_tool_calls: [search], actual_tool_calls: [search] },
      { matchOptions: { arguments: 'guess' }, query: 7 },
      { passed: true, prompt: '' },
    ],
    [
      'the calls are written another way',
      { expected_tool_calls: [{ tool: 'search' }], actual_tool_calls: [{ name: 'open' }] },
      {},
      {
        passed: false,
        expectedToolCalls: [{ tool: 'search' }],
        actualToolCalls: [{ name: 'open' }],
        missing: [{ toolName: 'search', arguments: {} }],
        unexpected: [{ toolName: 'open', arguments: {} }],
      },
    ],
  ])('when %s', async (_title, trial, details, turn) => {
    const answer = await readTrace(...(await traced(trial, { details })));
    expect(answer.status).toBe(200);
    expect(answer.body.prompts).toHaveLength(1);
    expect(answer.body.prompts[0]).toMatchObject(turn);
  });
});

describe('where there is none', () => {
  test('the refusal says so, whether nothing was recorded or only details', async () => {
    const run = await insertRun(service, suite);
    const ids = await insertTrialRows(service, run, [{}, {}]);
    await insertTrace(service, run, { ordinal: 2, trace: null, details: { query: 'Find it.' } });
    for (const id of ids) {
      expect(await readTrace(run, id)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', details: { reason: 'TRACE_NOT_AVAILABLE' } },
      });
    }
  });

  test('a trial of another run, project or organization, or of nobody, is one and the same 404', async () => {
    const [run, mine] = await traced({}, {});
    const [, elsewhere] = await traced({}, {});
    const otherProject = await insertProject(service, tenant);
    const hidden = await insertRun(service, await insertSuite(service, otherProject));
    const [inOther] = await insertTrialRows(service, hidden, [{}]);
    await insertTrace(service, hidden);
    const globex = await createTenant(service, 'globex');
    const theirs = await insertRun(service, await insertSuite(service, globex));
    const [foreign] = await insertTrialRows(service, theirs, [{}]);
    await insertTrace(service, theirs);

    const inMyProject = { projectId: tenant.projectId };
    const answers = await Promise.all([
      readTrace(run, elsewhere),
      readTrace(run, 'itr_unknown'),
      readTrace({ ...hidden, ...inMyProject }, inOther as string),
      readTrace({ ...theirs, ...inMyProject }, foreign as string),
      readTrace({ ...run, runId: 'run_unknown' }, mine),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.body).not.toHaveProperty('details');
    }
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect((await readTrace(run, mine)).status).toBe(200);
    expect((await readTrace(hidden, inOther as string)).status).toBe(200);
  });
});

describe('the tools it was offered', () => {
  const open = { name: 'open', inputSchema: {} };
  const shut = { name: 'shut', _meta: { ui: { visibility: ['app'] } } };
  let run: RunIds;
  let ids: string[];
  const read = (iterationId: string, runId = run.runId) => {
    const path = `projects/${run.projectId}/eval-runs/${runId}/iterations/${iterationId}/tools`;
    return call(`${service.baseUrl}/api/v1/${path}`, { key: tenant.key });
  };
  beforeAll(async () => {
    const { sql } = service.owner;
    run = await insertRun(service, suite, { source: 'api' });
    ids = await insertTrialRows(service, run, [{ tool_surface_hash: 'seen' }, {}]);
    const surface = JSON.stringify({ planned: [open, shut], [tenant.serverId]: [], unknown: [] });
    const at = { organization_id: tenant.organizationId };
    await sql`insert into tool_surfaces ${sql({ ...at, hash: 'seen', surface })}`;
    const plan = JSON.stringify({
      cases: [],
      skills: [],
      limits: {},
      servers: [{ id: 'planned', name: 'As it was' }],
      client: { config: { respectToolVisibility: true } },
    });
    await sql`insert into eval_run_plans ${sql({ ...at, run_id: run.runId, plan })}`;
  });

  test('come server by server, by the names of the plan or of today, with what the client hid', async () => {
    const none = { tools: [], hiddenToolNames: [] };
    expect((await read(ids[0] as string)).body).toEqual({
      hash: 'seen',
      servers: [
        {
          serverId: 'planned',
          serverName: 'As it was',
          tools: [open, shut],
          hiddenToolNames: ['shut'],
        },
        { serverId: tenant.serverId, serverName: 'Sample', ...none },
        { serverId: 'unknown', serverName: null, ...none },
      ],
    });
  });

  test('are 404 with a reason where there was no list, and without one in another run', async () => {
    expect(await read(ids[1] as string)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', details: { reason: 'TOOLS_NOT_AVAILABLE' } },
    });
    const elsewhere = await read(ids[0] as string, (await insertRun(service, suite)).runId);
    expect(elsewhere.status).toBe(404);
    expect(elsewhere.body).not.toHaveProperty('details');
  });
});

test('a trial is read by itself as the list shows it, and only in its own run', async () => {
  const run = await insertRun(service, suite);
  const ids = await insertTrialRows(service, run, [{ result: 'passed' }, { error: 'Too late.' }]);
  const other = await insertRun(service, suite);
  const read = ({ projectId, runId }: RunIds, trialPath: string) =>
    call(
      `${service.baseUrl}/api/v1/projects/${projectId}/eval-runs/${runId}/iterations${trialPath}`,
      {
        key: tenant.key,
      },
    );
  const { items } = (await read(run, '')).body;
  for (const [index, id] of ids.entries()) {
    expect((await read(run, `/${id}`)).body).toEqual(items[index]);
    expect((await read(other, `/${id}`)).status).toBe(404);
  }
});
