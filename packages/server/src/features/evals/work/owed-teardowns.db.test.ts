import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import {
  type FakeRequest,
  rpcResult,
  sendJson,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leaseAbandonedTeardowns } from '../store/owed-teardowns.ts';
import { watch } from './end-overdue-runs.ts';

let fixture: EvalFixture;
beforeAll(async () => {
  fixture = await startEvalFixture({ one: () => ({ text: 'Fine.' }), hanging: () => 'hang' });
});
afterAll(() => fixture.stop());

const ask = { id: 'ask', kind: 'prompt', prompt: 'How are you?' };

/**
 * A server that records its calls and their arguments. Tools whose name begins with "bad" return an
 * error.
 */
async function noting({ asksToWait = false } = {}) {
  const made: string[] = [];
  const names = ['make', 'remove', 'bad_remove', 'denied'];
  const server = await fixture.mcpServer({
    'tools/list': { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) },
    'tools/call': (response, request: FakeRequest) => {
      const { name } = request.message['params'] as { name: string };
      made.push(name);
      if (asksToWait) return response.writeHead(429, { 'retry-after': '10' }).end();
      const content = [{ type: 'text', text: `No: ${request.headers['x-api-key'] ?? ''}` }];
      return sendJson(response, rpcResult(request, { content, isError: name.startsWith('bad') }));
    },
  });
  const call = (toolName: string) => ({
    id: toolName,
    kind: 'toolCall',
    serverName: server.name,
    toolName,
    arguments: {},
  });
  const count = (name: string) => made.filter((one) => one === name).length;
  return { server, made, call, count };
}

async function owedRows(runId: string) {
  return fixture.service.owner.sql`select * from owed_teardowns where run_id = ${runId}`;
}

async function pinnedServersOf(runId: string) {
  const [row] = await fixture.service.owner.sql`
    select sealed_servers from eval_run_plans where run_id = ${runId}`;
  return row?.['sealedServers'] ?? null;
}

test('what a suite and a case say is made around every trial, kept, and told', async () => {
  const { server, made, call } = await noting();
  const around = { before: [call('make')], beforeTimeoutMs: 5000, after: [call('bad_remove')] };
  const suiteId = await fixture.suite({
    serverIds: [server.id],
    cases: [{ title: 'One', steps: [ask], ...around } as never],
    settings: { before: [call('make')], after: [call('remove')], afterTimeoutMs: 7000 },
  });
  const read = await fixture.get(200, 'GET', `eval-suites/${suiteId}`);
  expect(read.settings).toMatchObject({ after: [{ toolName: 'remove' }], afterTimeoutMs: 7000 });
  const { items } = await fixture.get(200, 'GET', `eval-suites/${suiteId}/cases`);
  expect(items[0]).toMatchObject(around);
  const { trials, runId } = await fixture.run(suiteId);
  expect(made).toEqual(['make', 'make', 'bad_remove', 'remove']);
  expect(trials).toMatchObject([
    {
      status: 'completed',
      result: 'passed',
      actualToolCalls: [],
      warnings: [
        {
          path: 'after[0]',
          code: 'AFTER_FAILED',
          message: expect.stringContaining('by the server'),
        },
      ],
    },
  ]);
  const path = `eval-runs/${runId}/iterations/${trials[0].id}`;
  expect((await fixture.get(200, 'GET', path)).warnings).toHaveLength(1);
  const trace = await fixture.get(200, 'GET', `${path}/trace`);
  expect(trace.before.map(({ of }: { of: string }) => of)).toEqual(['suite', 'case']);
  expect(trace.after.map(({ status }: { status: string }) => status)).toEqual(['fail', 'ok']);
  expect(await owedRows(runId)).toEqual([]);
  expect(await pinnedServersOf(runId)).toBeNull();
});

test('bad lists are refused with their place, and what the policy denies is told', async () => {
  const { server, call } = await noting();
  const suite = (tests: object, settings: object = {}) =>
    fixture.ask('POST', 'eval-suites', {
      name: 'Refused',
      serverIds: [server.id],
      model: 'local/one',
      settings,
      tests: [{ title: 'One', steps: [ask], ...tests }],
    });
  const refused = [
    await suite({ before: [ask] }),
    await suite({ after: [call('make'), call('make')] }),
    await suite({
      before: Array.from({ length: 21 }, (_, at) => ({ ...call('make'), id: `${at}` })),
    }),
    await suite({ beforeTimeoutMs: 120_001 }),
    await suite({}, { after: [{ ...call('make'), timeout: 1 }] }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  expect(refused[1]?.body.message).toContain('"make" is used twice');
  const warned = await suite(
    { before: [call('denied')] },
    { toolPolicy: { mode: 'default', deny: ['denied'] }, after: [call('denied')] },
  );
  expect(warned.body.warnings).toMatchObject([
    { path: 'body.tests[0]', code: 'CASE_ASSERTS_NOTHING' },
    {
      path: 'body.tests[0].before[0]',
      code: 'CALL_REFUSED_BY_POLICY',
      message: 'The tool policy of the suite denies "denied", so its trials end as setup_failed.',
    },
    { path: 'body.settings.after[0]', code: 'CALL_REFUSED_BY_POLICY' },
  ]);
});

async function launchHanging(more: object = {}) {
  const noted = await noting();
  const { server, call, count } = noted;
  const suiteId = await fixture.suite({
    serverIds: [server.id],
    model: 'local/hanging',
    cases: [
      { title: 'One', steps: [ask], before: [call('make')], after: [call('remove')] } as never,
    ],
    settings: more,
  });
  // Requests of an earlier test may still arrive, so only later requests count.
  const asked = fixture.provider.count();
  const { runId } = await fixture.get(202, 'POST', 'eval-runs', { suiteId });
  await expect.poll(() => fixture.provider.count(), { timeout: 20_000 }).toBeGreaterThan(asked);
  expect(count('make')).toBe(1);
  expect(await owedRows(runId)).toHaveLength(1);
  return { ...noted, runId };
}

test('a cancelled trial has its after made once, by its own worker', async () => {
  const { runId, count, server } = await launchHanging();
  await fixture.get(200, 'POST', `eval-runs/${runId}/cancel`);
  await expect.poll(() => owedRows(runId), { timeout: 10_000 }).toEqual([]);
  expect([count('make'), count('remove')]).toEqual([1, 1]);
  const sessions = server.requests.filter(({ message }) => message['method'] === 'initialize');
  expect(sessions).toHaveLength(1);
  expect(await pinnedServersOf(runId)).toBeNull();
});

test.each(['cancelled', 'over', 'cancelled while its worker stops'])(
  'a trial whose before never began has no after (its run is %s)',
  async (how) => {
    const { server, call, made } = await noting({ asksToWait: true });
    const suiteId = await fixture.suite({
      serverIds: [server.id],
      cases: [
        { title: 'One', steps: [ask], before: [call('make')], after: [call('remove')] } as never,
      ],
    });
    const { runId } = await fixture.get(202, 'POST', 'eval-runs', { suiteId });
    await expect.poll(() => made.length, { timeout: 20_000 }).toBe(1);
    const { sql } = fixture.service.owner;
    const cancel = () => fixture.get(200, 'POST', `eval-runs/${runId}/cancel`);
    if (how === 'cancelled') await cancel();
    else if (how === 'over') {
      await sql`
        update eval_runs set deadline_at = now() - interval '1 second' where id = ${runId}`;
      await watch(fixture.service.database, { error: () => expect.unreachable() });
    } else {
      await fixture.restartWorker({
        async meanwhile() {
          expect(await owedRows(runId)).toEqual([]);
          await cancel();
        },
      });
    }
    await expect.poll(() => owedRows(runId), { timeout: 20_000 }).toEqual([]);
    expect(await pinnedServersOf(runId)).toBeNull();
    expect(made).toEqual(['make']);
  },
);

test.each(['trial', 'run'])(
  'what a dead worker left is made by another, once, in sessions of its own (%s)',
  async (sessions) => {
    const { runId, count, server } = await launchHanging({ sessions });
    const { sql } = fixture.service.owner;
    // Stores a lease that no process holds, as after the leaseholder's death.
    await sql`update owed_teardowns set lease = 1 where run_id = ${runId}`;
    await fixture.get(200, 'POST', `eval-runs/${runId}/cancel`);
    expect(await pinnedServersOf(runId)).not.toBeNull();
    await sql`update owed_teardowns set abandoned_since = now() - interval '1 hour' where run_id = ${runId}`;
    await expect.poll(() => owedRows(runId), { timeout: 10_000 }).toEqual([]);
    expect([count('make'), count('remove')]).toEqual([1, 1]);
    const opened = server.requests.filter(({ message }) => message['method'] === 'initialize');
    expect(opened).toHaveLength(2);
    expect(await pinnedServersOf(runId)).toBeNull();
  },
);

test('two who settle at once make it once, and one who dies with it is not followed by another', async () => {
  const { runId, count } = await launchHanging();
  const { sql } = fixture.service.owner;
  await fixture.restartWorker({
    async meanwhile() {
      await fixture.get(200, 'POST', `eval-runs/${runId}/cancel`);
      await sql`update owed_teardowns set abandoned_since = now() - interval '1 hour' where run_id = ${runId}`;
      const taken = await Promise.all([0, 1, 2].map(() => leaseAbandonedTeardowns(sql, 5000, 4)));
      expect(taken.flat()).toMatchObject([{ runId, ordinal: 1 }]);
      await sql`update owed_teardowns set taken_at = now() - interval '1 hour' where run_id = ${runId}`;
    },
  });
  await expect.poll(() => owedRows(runId), { timeout: 10_000 }).toEqual([]);
  expect(count('remove')).toBe(0);
  const { items } = await fixture.get(200, 'GET', `eval-runs/${runId}/iterations`);
  expect(items[0]).toMatchObject({ status: 'cancelled', warnings: [{ code: 'AFTER_UNKNOWN' }] });
  expect(items[0].warnings[0].message).toContain('some may not have arrived');
  expect(await pinnedServersOf(runId)).toBeNull();
});

test('a trial whose attempts are used up has its after made', async () => {
  const { runId, count } = await launchHanging();
  const { sql } = fixture.service.owner;
  await fixture.restartWorker({
    async meanwhile() {
      await sql`update leased_work set attempt_cost = 100 where group_id = ${runId}`;
    },
  });
  const { trials } = await fixture.read(runId);
  expect(trials[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('itself') });
  await expect.poll(() => owedRows(runId), { timeout: 20_000 }).toEqual([]);
  expect([count('make'), count('remove')]).toEqual([1, 1]);
});

test('a run whose time ends while its worker is dead has its after made once', async () => {
  const { runId, count, server } = await launchHanging();
  const { sql } = fixture.service.owner;
  await fixture.restartWorker({
    async meanwhile() {
      await sql`
        update eval_runs set deadline_at = now() - interval '1 second' where id = ${runId}`;
      expect(await watch(fixture.service.database, { error: () => expect.unreachable() })).toBe(1);
      expect(await owedRows(runId)).toHaveLength(1);
      expect(count('remove')).toBe(0);
      await sql`update owed_teardowns set abandoned_since = now() - interval '1 hour' where run_id = ${runId}`;
    },
  });
  await expect.poll(() => owedRows(runId), { timeout: 20_000 }).toEqual([]);
  const { run, trials } = await fixture.read(runId);
  expect(run.status).toBe('failed');
  expect(trials[0]).not.toMatchObject({ status: 'completed' });
  expect([count('make'), count('remove')]).toEqual([1, 1]);
  const opened = server.requests.filter(({ message }) => message['method'] === 'initialize');
  expect(opened).toHaveLength(2);
  expect(await pinnedServersOf(runId)).toBeNull();
});
