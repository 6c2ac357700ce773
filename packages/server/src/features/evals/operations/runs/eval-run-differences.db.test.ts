import { type ConsolePerson, newConsolePerson } from '@proofmark/harness/console-person.ts';
import {
  createLauncher,
  type Launcher,
  weatherSteps as steps,
} from '@proofmark/harness/launcher.ts';
import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultRunLimits } from '../../../../platform/spending/run-limits.ts';

let service: TestService;
let tenant: Tenant;
let other: Tenant;
let launcher: Launcher;
let person: ConsolePerson;
beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 10_000 } });
  tenant = await createTenant(service, 'acme');
  other = await createTenant(service, 'globex');
  launcher = createLauncher(service, tenant);
  person = await newConsolePerson(service, 'acme', 'owner');
});
afterAll(() => service.stop());

const read = (runId: string, baseRunId?: string, who = person) =>
  who.ask(
    'GET',
    `projects/${tenant.projectId}/eval-runs/${runId}/differences${baseRunId === undefined ? '' : `?baseRunId=${baseRunId}`}`,
  );
const tool = (name: string, description: string) => ({ name, description, inputSchema: {} });

async function offer(runId: string, ...seen: (readonly [object, trials: number])[]) {
  const { sql } = service.owner;
  let first = 0;
  for (const [index, [surface, trials]] of seen.entries()) {
    const hash = `${runId} ${index}`;
    await sql`
      insert into tool_surfaces (organization_id, hash, surface)
      values (${tenant.organizationId}, ${hash}, ${JSON.stringify(surface)})`;
    await sql`
      update eval_iterations set tool_surface_hash = ${hash}
      where run_id = ${runId} and ordinal > ${first} and ordinal <= ${first + trials}`;
    first += trials;
  }
}

async function twoRuns(change: (suiteId: string) => Promise<unknown>) {
  const suiteId = await launcher.suite({
    tests: [
      { title: 'A', steps, runs: 3 },
      { title: 'B', steps: [steps[0]] },
    ],
  });
  const base = await launcher.launch({ suiteId });
  await change(suiteId);
  return { base, run: await launcher.launch({ suiteId }) };
}

test('names the tools that came, went and changed, server by server, by the list that most trials saw', async () => {
  const { base, run } = await twoRuns(async () => undefined);
  const { serverId } = tenant;
  const was = { [serverId]: [tool('pay', 'Pays.'), tool('find', 'Finds.'), tool('go', 'Goes.')] };
  const is = {
    [serverId]: [tool('pay', 'Refunds.'), tool('search', 'Finds.'), tool('new', 'New.')],
  };
  await offer(base, [was, 4]);
  await offer(run, [{ [serverId]: [] }, 1], [is, 3]);
  const answer = await read(run, base);
  expect(answer.status, answer.text).toBe(200);
  const name = expect.any(String);
  expect(answer.body).toMatchObject({
    runId: run,
    baseRunId: base,
    judge: [],
    cases: { isKnown: true, total: 0, items: [] },
    tools: {
      base: { servers: 1, tools: 3, unsteadyServers: [] },
      compare: { servers: 1, tools: 3, unsteadyServers: [name] },
      total: 4,
      servers: [
        {
          change: 'changed',
          serverId,
          serverName: name,
          tools: [
            { change: 'removed', name: 'go' },
            { change: 'added', name: 'new' },
            {
              change: 'changed',
              name: 'pay',
              parts: [{ part: 'description', before: 'Pays.', after: 'Refunds.' }],
            },
            { change: 'renamed', name: 'search', formerName: 'find', parts: [] },
          ],
        },
      ],
    },
  });
});

test('cuts a long list and says how long it is', async () => {
  const { base, run } = await twoRuns(async () => undefined);
  const many = (word: string) => ({
    [tenant.serverId]: Array.from({ length: 250 }, (_, index) => tool(`t${index}`, word)),
  });
  await offer(base, [many('One.'), 4]);
  await offer(run, [many('Two.'), 4]);
  const { tools } = (await read(run, base)).body;
  expect([tools.total, tools.servers[0].tools.length]).toEqual([250, 200]);
});

test('a run without a list of tools is not known to differ', async () => {
  const { base, run } = await twoRuns(async () => undefined);
  await offer(run, [{ [tenant.serverId]: [tool('pay', 'Pays.')] }, 4]);
  expect((await read(run, base)).body.tools).toMatchObject({
    base: { servers: 0 },
    compare: { servers: 1 },
    total: 0,
    servers: [],
  });
});

test('names what cases ask for and how they are graded, before and now, and the judge', async () => {
  const { base, run } = await twoRuns(async (suiteId) => {
    const cases = (await launcher.ask('GET', `eval-suites/${suiteId}/cases`)).body.items;
    const edited = await launcher.ask('PATCH', `eval-suites/${suiteId}/cases/${cases[0].id}`, {
      steps: [steps[0]],
      iterations: 4,
      checks: { mode: 'replace', list: [{ type: 'noToolErrors' }] },
    });
    expect(edited.status, edited.text).toBe(200);
    const judged = await launcher.ask('PATCH', `eval-suites/${suiteId}`, {
      settings: { judge: { enabled: true, model: 'proofmark/lexical-1', threshold: 0.4 } },
    });
    expect(judged.status, judged.text).toBe(200);
  });
  const { cases, judge } = (await read(run, base)).body;
  expect(cases).toMatchObject({ isKnown: true, total: 1, items: [{ title: 'A' }] });
  const [{ asked, graded }] = cases.items;
  expect(asked).toEqual([
    { part: 'repetitions', before: 3, after: 4 },
    { part: 'steps', before: expect.any(Array), after: expect.any(Array) },
  ]);
  expect(graded).toEqual([
    {
      part: 'assertions',
      before: [],
      after: [expect.objectContaining({ type: 'noToolErrors' })],
    },
  ]);
  expect(judge.map(({ part }: { part: string }) => part)).toContain('threshold');
});

test('of reported runs nothing is known of the cases', async () => {
  const suiteName = unique('Reported');
  const report = async () =>
    (await createReporter(service, tenant).ingest('report', { suiteName, results: [passing] })).body
      .runId as string;
  const base = await report();
  const run = await report();
  expect((await read(run)).body).toMatchObject({
    baseRunId: base,
    cases: { isKnown: false, total: 0 },
    tools: { compare: { servers: 0 } },
  });
});

test('is for members of the project, signed in to the console, and needs a base of the same suite', async () => {
  const { run } = await twoRuns(async () => undefined);
  const none = await read(run, tenant.runId);
  expect([none.status, none.body.details]).toEqual([404, { reason: 'BASELINE_NOT_FOUND' }]);
  const stranger = await newConsolePerson(service, 'globex', 'owner');
  expect((await read(run, undefined, stranger)).status).toBe(404);
  expect((await read(other.runId)).status).toBe(404);
  const byKey = await launcher.ask('GET', `eval-runs/${run}/differences`);
  expect(byKey.status).toBe(404);
});
