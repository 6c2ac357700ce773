import { fileURLToPath } from 'node:url';
import { type Child, startChild } from '@proofmark/harness/start-child.ts';
import { type SwarmFixture, startSwarmFixture } from '@proofmark/harness/swarm-fixture.ts';
import type { ChildWorker } from '@proofmark/harness/work.child.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createModelGateway } from '../../../outside/model/create-model-gateway.ts';
import { claimWork, returnInterrupted } from '../../../platform/work/store/leased-work.ts';
import { endOfSession } from '../operations/end-of-session.ts';
import { findJourneySnapshot } from '../store/journey-snapshots.ts';
import { journeySessionsWork } from '../store/journey-work.ts';
import { beginSession, writeTurn } from '../store/played-sessions.ts';

const script = fileURLToPath(import.meta.resolve('@proofmark/harness/work.child.ts'));
const goal = 'Tell me the opening hours of the shop. Then tell me the price of the blue lamp.';
const free = { inputPerMillion: 0, outputPerMillion: 0 };
const longest = { timeout: 30_000 };
let fixture: SwarmFixture;
let environmentId: string;
let isHeld = true;
let child: Child | undefined;

beforeAll(async () => {
  fixture = await startSwarmFixture(
    {
      /** This model's answer in the second turn is delayed until the test releases it. */
      slow: async ({ messages }) => {
        const turn = messages.filter(({ role }) => role === 'user').length;
        while (turn > 1 && isHeld) await new Promise((resolve) => setTimeout(resolve, 20));
        return { text: 'It is open.' };
      },
      silent: () => 'hang',
      dear: () => ({ text: 'It is open.' }),
      'cheap-silent': () => 'hang',
    },
    { creditsPerDay: 30, sessionsPerRun: 2 },
    {
      slow: free,
      silent: free,
      'cheap-silent': { inputPerMillion: 1, outputPerMillion: 1 },
      dear: { inputPerMillion: 100, outputPerMillion: 100 },
    },
  );
  environmentId = await environmentOf('slow');
});
afterAll(async () => {
  isHeld = false;
  child?.kill('SIGKILL');
  await child?.closed;
  await fixture.stop();
});

async function environmentOf(model: string): Promise<string> {
  return fixture.environment([(await fixture.mcpServer()).id], `local/${model}`);
}

async function launch(fields: object = {}): Promise<string> {
  const journeyId = await fixture.journey({ goal, environmentIds: [environmentId], ...fields });
  return (await fixture.launch(journeyId)).id;
}

async function startDying(): Promise<Child> {
  const { serviceUrl, secretKey } = fixture.service;
  const models = [{ name: 'slow', ...free }];
  const { baseUrl } = fixture.provider;
  const asked: ChildWorker = {
    serviceUrl,
    secretKey: secretKey.toString('hex'),
    trialsAtOnce: 4,
    callsPerServer: 4,
    providers: [{ name: 'local', kind: 'openai-compatible', baseUrl, models }],
  };
  child = startChild(script, [JSON.stringify(asked)]);
  await child.first;
  return child;
}

test('sessions whose workers are killed are played again, count once, and every step told is paid', {
  timeout: 120_000,
}, async () => {
  let runId = '';
  await fixture.restartWorker({
    async meanwhile() {
      runId = await launch({ sessionsPerTarget: 2 });
      for (let kills = 1; kills <= 2; kills += 1) {
        const dying = await startDying();
        const inMiddle = async () => {
          const { items } = await fixture.get(200, 'GET', `journey-runs/${runId}/sessions`);
          const { attempts } = await fixture.get(200, 'GET', `journey-runs/${runId}`);
          const isPlayed = items.every(({ turnCount }: { turnCount: number }) => turnCount === 1);
          return isPlayed && attempts.every(({ begun }: { begun: number }) => begun === kills);
        };
        await vi.waitUntil(inMiddle, longest);
        await vi.waitUntil(() => fixture.provider.atOnce === 2, longest);
        dying.kill('SIGKILL');
        await dying.closed;
        await vi.waitUntil(() => fixture.provider.atOnce === 0, longest);
      }
    },
  });
  isHeld = false;
  const run = await fixture.ended(runId);
  isHeld = true;
  expect(run).toMatchObject({ status: 'completed', summary: { total: 2, succeeded: 2 } });
  expect(run.attempts.map(({ begun }: { begun: number }) => begun)).toEqual([3, 3]);
  for (const session of await fixture.sessions(runId)) {
    expect(session).toMatchObject({ turnCount: 2, messageCount: 4, outcome: 'succeeded' });
    const steps = await fixture.service.owner.sql<{ step: string }[]>`
      select step from ledger where kind = 'host_step' and ref = ${`${runId}/${session.id}`} order by step`;
    expect(steps.map(({ step }) => step)).toEqual(['1.1', '2.1', '3.1', '3.2']);
  }
});

test('who lost the lease, or whose run was canceled, writes nothing', async () => {
  const { database } = fixture.service;
  await fixture.restartWorker({
    async meanwhile() {
      const runId = await launch();
      const [work] = await claimWork(database.sql, journeySessionsWork, 1, 60_000);
      if (work === undefined) throw new Error('Nothing was claimed.');
      const tenant = <Result>(act: Parameters<typeof database.tenant<Result>>[1]) =>
        database.tenant([work.organizationId], act);
      const session = {
        id: 'cht_1',
        chatSessionId: 'synth_1',
        journeyId: 'jny_1',
        targetId: 't',
        hostId: 'h',
        sessionIndex: 0,
        personaId: 'per_1',
        personaLabel: 'Ada',
        personaModel: 'm',
        modelId: 'm',
      };
      const begun = await tenant((sql) => beginSession(sql, work, session));
      expect(begun).toEqual({ sessionId: 'cht_1', begun: 1 });
      // The same start is written twice, as by a worker that never got the response to the first.
      expect(await tenant((sql) => beginSession(sql, work, session))).toEqual(begun);
      await fixture.get(200, 'POST', `journey-runs/${runId}/cancel`);
      const before = await fixture.get(200, 'GET', `journey-runs/${runId}`);
      const shown = {
        trace: {},
        messageCount: 9,
        preview: 'late',
        turnCount: 9,
        toolCallCount: 0,
        toolErrorCount: 0,
        usage: null,
        intents: null,
      };
      expect(await tenant((sql) => writeTurn(sql, work, 'cht_1', shown))).toBe(false);
      const end = {
        status: 'succeeded' as const,
        errorCode: null,
        endReason: 'turnCap' as const,
        chain: null,
        isGraded: false,
      };
      const late = { snapshot: undefined, end };
      expect(await tenant((sql) => endOfSession(sql, work, late, async () => 'paid'))).toBe(
        undefined,
      );
      expect(await fixture.get(200, 'GET', `journey-runs/${runId}`)).toEqual(before);
      const [read] = await fixture.sessions(runId);
      expect(read).toMatchObject({ outcome: 'failed', turnCount: 0, messageCount: 0 });
    },
  });
});

test('a session that is given back waits again, and ends with those of its target', async () => {
  const { database } = fixture.service;
  await fixture.restartWorker({
    async meanwhile() {
      const runId = await launch({ sessionsPerTarget: 3 });
      const works = await claimWork(database.sql, journeySessionsWork, 2, 60_000);
      const [given, limited] = works;
      if (given === undefined || limited === undefined) throw new Error('Nothing was claimed.');
      const tenant = <Result>(act: Parameters<typeof database.tenant<Result>>[1]) =>
        database.tenant([given.organizationId], act);
      for (const work of works) {
        const id = `cht_given_${work.firstItem}`;
        const session = {
          id,
          chatSessionId: id,
          journeyId: 'jny_1',
          targetId: 't',
          hostId: 'h',
          modelId: 'm',
          sessionIndex: 0,
          personaId: 'per_1',
          personaLabel: 'Ada',
          personaModel: 'm',
        };
        await tenant((sql) => beginSession(sql, work, session));
      }
      const attempts = async () => {
        const run = await fixture.get(200, 'GET', `journey-runs/${runId}`);
        return run.attempts.map(({ status, begun }: { status: string; begun: number }) => [
          ...[status, begun],
        ]);
      };
      expect(await attempts()).toEqual([
        ['running', 1],
        ['running', 1],
        ['pending', 0],
      ]);
      await tenant((sql) => returnInterrupted(sql, given));
      expect((await attempts())[given.firstItem]).toEqual(['pending', 1]);
      const snapshot = await tenant((sql) => findJourneySnapshot(sql, runId));
      const end = {
        status: 'rate_limited' as const,
        errorCode: 'rate_limited' as const,
        endReason: null,
        chain: {},
        isGraded: false,
      };
      await tenant((sql) => endOfSession(sql, limited, { snapshot, end }, async () => 'paid'));
      expect(await attempts()).toEqual([
        ['rate_limited', 1],
        ['rate_limited', 1],
        ['rate_limited', 0],
      ]);
    },
  });
});

test('a session that was begun as often as it may be is our own failure', async () => {
  let runId = '';
  await fixture.restartWorker({
    async meanwhile() {
      runId = await launch();
      await fixture.service.owner.sql`
        update leased_work set attempt_cost = 20 where kind = ${journeySessionsWork} and group_id = ${runId}`;
    },
  });
  const run = await fixture.ended(runId);
  expect(run.status).toBe('failed');
  expect(run.attempts[0]).toMatchObject({ status: 'failed', errorCode: 'runner_failed' });
});

test.each([
  ['run_timeout', false, 'now()'],
  ['stale_runner', true, "now() - interval '200 seconds'"],
])('a run whose time is over ends as %s', async (error, stale, heartbeat) => {
  const runId = await launch({ environmentIds: [await environmentOf('silent')] });
  const isRunning = async () => {
    const { attempts } = await fixture.get(200, 'GET', `journey-runs/${runId}`);
    return attempts[0].status === 'running';
  };
  await vi.waitUntil(isRunning, longest);
  await fixture.service.owner.sql.written(
    `update journey_runs set deadline_at = now() - interval '1 second', heartbeat_at = ${heartbeat} where id = $1`,
    [runId],
  );
  const run = await fixture.ended(runId);
  expect(run).toMatchObject({ status: 'failed', error, stale, canceled: false });
  expect(run.attempts[0]).toMatchObject({ status: 'failed', errorCode: error });
  const [session] = await fixture.sessions(runId);
  expect(session.chain.stageResults[0].reason).toBe('lifecycleStopped');
});

test.each([
  ['place', 1],
  ['connection', 0],
])(
  'a step that waits for its %s when its run is canceled was never sent, and costs nothing',
  async (awaited, sent) => {
    const { sql } = fixture.service.owner;
    const name = 'cheap-silent';
    let lookups = 0;
    const lookup = () => {
      lookups += 1;
      return new Promise<never>(() => undefined);
    };
    const egress = { allowLoopback: true, allowedPrivateHosts: [], connectTimeoutMs: 60_000 };
    const way =
      awaited === 'place'
        ? { baseUrl: fixture.provider.baseUrl, requestsAtOnce: 1 }
        : { baseUrl: 'http://slow.test/v1' };
    const models = [{ name, inputPerMillion: 1, outputPerMillion: 1 }];
    const narrow = createModelGateway({
      egress: { ...egress, lookup },
      providers: [{ name: 'local', kind: 'openai-compatible', ...way, models }],
    });
    await fixture.restartWorker({ models: narrow });
    const sentBefore = fixture.provider.count(name);
    const environmentIds = [await environmentOf(name)];
    const runId = await launch({ environmentIds, sessionsPerTarget: 2 });
    const reserved = async () => {
      const rows = await sql`select from credit_reservations where ref like ${`${runId}/%`}`;
      return rows.count;
    };
    const sentNow = () => fixture.provider.count(name) - sentBefore;
    await vi.waitUntil(async () => (await reserved()) === 2, longest);
    await vi.waitUntil(() => sentNow() + lookups === (sent || 2), longest);
    await fixture.get(200, 'POST', `journey-runs/${runId}/cancel`);
    // The worker writes the cost of every sent request before it stops.
    await fixture.restartWorker();
    await narrow.close();
    expect(sentNow()).toBe(sent);
    const paid = await sql`select from ledger where ref like ${`${runId}/%`}`;
    expect([paid.count, await reserved()]).toEqual([sent, 0]);
  },
);

test('an organization that is out of credits ends all that is open', async () => {
  const runId = await launch({
    environmentIds: [await environmentOf('dear')],
    sessionsPerTarget: 3,
  });
  const run = await fixture.ended(runId);
  expect(run).toMatchObject({ status: 'rate_limited', summary: { total: 3, rateLimited: 3 } });
  const codes = run.attempts.map(({ errorCode }: { errorCode: string }) => errorCode);
  expect(new Set(codes)).toEqual(new Set(['spend_cap_exceeded']));
  // The error of one attempt ended all other attempts, even those that had not begun.
  expect(run.attempts[2].begun).toBe(0);
  expect(fixture.provider.count('dear')).toBe(0);
});
