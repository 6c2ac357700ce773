import { saveServer } from '@proofmark/harness/diagnosed-server.ts';
import { closeServers } from '@proofmark/harness/hostile-servers.ts';
import { createLauncher, type Launcher, weatherSteps } from '@proofmark/harness/launcher.ts';
import { startScriptedServer } from '@proofmark/harness/scripted-mcp-server.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { defaultRunLimits } from '../../../../platform/spending/run-limits.ts';

let service: TestService;
let tenant: Tenant;
let launcher: Launcher;
beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 10_000 } });
  tenant = await createTenant(service, 'acme');
  launcher = createLauncher(service, tenant);
});
afterEach(closeServers);
afterAll(() => service.stop());

const schema = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(
    names.map((name) => [name, { type: 'string', description: `The ${name}.` }]),
  ),
});
const tool = (name: string, description: string, ...names: string[]) => ({
  name,
  description,
  inputSchema: schema(...names),
});
const pay = tool('pay', 'Pays an order of the shop.', 'order');
const find = tool('find', 'Finds orders of the shop by words.', 'words');

/**
 * Stores these tools for all trials. For each entry of `calls`, one trial fails with its `called`
 * and `missed` tool.
 */
async function listed(
  runId: string,
  tools: object[],
  calls: Partial<Record<'called' | 'missed', string>>[] = [],
) {
  const { sql } = service.owner;
  const hash = `hash of ${runId}`;
  const surface = JSON.stringify({ [tenant.serverId]: tools });
  await sql`
    insert into tool_surfaces (organization_id, hash, surface)
    values (${tenant.organizationId}, ${hash}, ${surface})`;
  await sql`update eval_iterations set tool_surface_hash = ${hash} where run_id = ${runId}`;
  const trials = await sql<{ id: string; ordinal: number }[]>`
    select id, ordinal from eval_iterations where run_id = ${runId} order by ordinal`;
  for (const [index, { called, missed }] of calls.entries()) {
    const of = (toolName?: string) => JSON.stringify(toolName === undefined ? [] : [{ toolName }]);
    await sql`
      update eval_iterations set status = 'completed', result = 'failed',
        actual_tool_calls = ${of(called)}, expected_tool_calls = ${of(missed)}
      where run_id = ${runId} and id = ${trials[index]?.id ?? ''}`;
  }
  return { hash, ids: trials.map(({ id }) => id) };
}

async function twoRuns() {
  const suiteId = await launcher.suite({ tests: [{ title: 'A', steps: weatherSteps, runs: 3 }] });
  const base = await launcher.launch({ suiteId });
  return { base, run: await launcher.launch({ suiteId }) };
}

test('ranks what changed by the failing trials that touch it, then by what it does; compare says the same', async () => {
  const { base, run } = await twoRuns();
  const was = await listed(base, [pay, find, tool('go', 'Goes.')]);
  const after = [
    { ...pay, description: 'Pays.', inputSchema: { ...schema('order', 'sum'), required: ['sum'] } },
    { ...find, name: 'search', title: 'Search' },
    tool('new', 'New.'),
  ];
  const { hash, ids } = await listed(run, after, [
    { called: 'pay' },
    { missed: 'find' },
    { called: 'pay' },
  ]);
  const read = await launcher.ask('GET', `eval-runs/${run}/surface?baseRunId=${base}`);
  expect(read.status, read.text).toBe(200);
  const serverName = expect.any(String);
  const paid = { serverName, trials: [ids[0], ids[2]], failingTrials: 2 };
  const none = { serverName, trials: [], failingTrials: 0 };
  const { tokens, ...surface } = read.body;
  expect(tokens.servers[0].tools.map(({ toolName }: { toolName: string }) => toolName)).toEqual([
    'pay',
    'search',
    'new',
  ]);
  expect(surface).toEqual({
    baseRunId: base,
    baseHash: was.hash,
    hash,
    added: [{ toolName: 'new', ...none }],
    removed: [{ toolName: 'go', ...none }],
    renamed: [
      { from: 'find', to: 'search', likeness: 1, serverName, trials: [ids[1]], failingTrials: 1 },
    ],
    changed: [
      {
        toolName: 'pay',
        what: 'inputSchema',
        path: '/properties/sum',
        effect: 'breaking',
        before: null,
        after: { type: 'string', description: 'The sum.' },
        ...paid,
      },
      {
        toolName: 'pay',
        what: 'description',
        effect: 'words',
        before: 'Pays an order of the shop.',
        after: 'Pays.',
        ...paid,
      },
      {
        toolName: 'search',
        what: 'title',
        effect: 'words',
        before: null,
        after: 'Search',
        serverName,
        trials: [ids[1]],
        failingTrials: 1,
      },
    ],
    totals: { added: 1, removed: 1, renamed: 1, changed: 3 },
  });
  const compared = await launcher.ask('GET', `eval-runs/${run}/compare?baseRunId=${base}`);
  expect(compared.body.surface).toEqual(surface);
});

test('long values and lists are cut, and their totals are told', async () => {
  const { base, run } = await twoRuns();
  const many = (word: string) =>
    Array.from({ length: 250 }, (_, index) => tool(`t${index}`, word.repeat(3000)));
  await listed(base, many('a'));
  await listed(run, many('b'));
  const { changed, totals } = (
    await launcher.ask('GET', `eval-runs/${run}/surface?baseRunId=${base}`)
  ).body;
  expect([changed.length, totals.changed, changed[0].after.length]).toEqual([200, 250, 2000]);
});

test('without a list on both sides nothing is known to differ', async () => {
  const { base, run } = await twoRuns();
  await listed(run, [pay]);
  const read = await launcher.ask('GET', `eval-runs/${run}/surface?baseRunId=${base}`);
  expect(read.body).toMatchObject({
    baseHash: null,
    added: [],
    removed: [],
    renamed: [],
    changed: [],
  });
});

test('lint of a run names what its tools leave in doubt, with the trials it may explain first', async () => {
  const { run } = await twoRuns();
  const vague = { ...pay, name: 'send', inputSchema: { type: 'object', properties: { data: {} } } };
  const { ids } = await listed(
    run,
    [tool('find', 'Finds it.', 'words'), vague],
    [{ missed: 'find' }],
  );
  const { status, body, text } = await launcher.ask('GET', `eval-runs/${run}/lint`);
  expect(status, text).toBe(200);
  expect(body.runId).toBe(run);
  expect(body.total).toBe(body.findings.length);
  const findings = body.findings.map(({ rule, toolName, trials }: Record<string, unknown>) => [
    rule,
    toolName,
    trials,
  ]);
  expect(findings[0]).toEqual(['description-short', 'find', [ids[0]]]);
  expect(findings).toContainEqual(['parameter-vague', 'send', []]);
  const [{ overlay, severity, path, message, reason }] = body.findings;
  expect({ severity, path }).toEqual({ severity: 'warn', path: '/description' });
  expect([message, reason].every((sentence) => /\.$/.test(sentence))).toBe(true);
  const { name: serverName } = (await launcher.ask('GET', `servers/${tenant.serverId}`)).body;
  expect(overlay).toEqual({
    servers: [{ serverName, tools: [{ name: 'find', description: 'Finds it. Takes words.' }] }],
  });
});

test('a run without a list has nothing to check, and one of others is not there', async () => {
  const { run } = await twoRuns();
  expect((await launcher.ask('GET', `eval-runs/${run}/lint`)).body).toEqual({
    runId: run,
    total: 0,
    findings: [],
    tokens: expect.objectContaining({ servers: [], share: 0 }),
  });
  const other = createLauncher(service, await createTenant(service, 'globex'));
  for (const what of ['lint', 'surface']) {
    expect((await other.ask('GET', `eval-runs/${run}/${what}`)).status).toBe(404);
  }
});

test('lint of a server lists its tools now, with the failing trials of its newest completed run', async () => {
  const scripted = await startScriptedServer({
    'tools/list': { result: { tools: [{ name: 'find', inputSchema: schema('words') }] } },
  });
  const server = await saveServer(service, tenant, { url: scripted.url });
  const before = await server.ask('lint');
  expect(before.status, before.text).toBe(200);
  expect(before.body).toMatchObject({
    runId: null,
    findings: [
      { rule: 'description-missing', severity: 'error', toolName: 'find', trials: [] },
      {},
      {},
      {},
    ],
  });
  const suiteId = await launcher.suite({ tests: [{ title: 'A', steps: weatherSteps, runs: 3 }] });
  const run = await launcher.launch({ suiteId, serverIds: [server.id] });
  const { ids } = await listed(run, [], [{ missed: 'find' }]);
  await service.owner
    .sql`update eval_runs set status = 'completed', completed_at = now() where id = ${run}`;
  expect((await server.ask('lint')).body).toMatchObject({
    runId: run,
    findings: [{ trials: [ids[0]] }, {}, {}, {}],
  });
});
