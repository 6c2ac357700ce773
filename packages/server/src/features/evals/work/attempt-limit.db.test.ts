/**
 * Tests the limit of attempts at leased work. An attempt counts fully if the worker died or failed,
 * and a fifth of that if the worker released the work or could not reach the database.
 */
import { lexicalModelId, type Places } from '@proofmark/domain';
import { closeServers } from '@proofmark/harness/hostile-servers.ts';
import { createLauncher, type Launcher } from '@proofmark/harness/launcher.ts';
import { startScriptedServer } from '@proofmark/harness/scripted-mcp-server.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLog } from '../../../main/log.ts';
import { createMcpGateway } from '../../../outside/mcp/create-mcp-gateway.ts';
import {
  createScriptedModel,
  type ModelScript,
  type ScriptedModel,
} from '../../../outside/model/scripted-model.ts';
import { linearPatterns } from '../../../outside/patterns/linear-patterns.ts';
import { createScorerGateway } from '../../../outside/scorers/scorer-gateway.ts';
import type { Database } from '../../../platform/database/database.ts';
import { defaultRunLimits } from '../../../platform/spending/run-limits.ts';
import { doWork } from '../../../platform/work/do-work.ts';
import { LeaseKeeper } from '../../../platform/work/lease-keeper.ts';
import { defaultLeaseTimes } from '../../../platform/work/lease-times.ts';
import { type ClaimedWork, claimWork } from '../../../platform/work/store/leased-work.ts';
import { trialsWork } from '../store/run-work.ts';
import { OpenRuns } from './open-runs.ts';
import { trialsKind } from './run-trials.ts';
import { TrialPayments } from './trial-payments.ts';

const mcp = createMcpGateway({
  egress: { allowLoopback: true, allowedPrivateHosts: [] },
  client: { name: 'proofmark-test', version: '1' },
});
const times = {
  ...defaultLeaseTimes,
  leaseMs: 1500,
  prolongEveryMs: 200,
  lookEveryMs: 100,
  beatEveryMs: 50,
  longestStandstillMs: 500,
};
const steps = [{ id: 'ask', kind: 'prompt', prompt: 'How many?' }];
const hangs: ModelScript = () => new Promise(() => undefined);
const answers: ModelScript = () => ({ text: 'Five.' });
const fails: ModelScript = () => {
  throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
};

let service: TestService;
let tenant: Tenant;
let launcher: Launcher;
let serverId: string;
beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 1000 } });
  tenant = await createTenant(service, 'attempted');
  launcher = createLauncher(service, tenant);
  const server = await startScriptedServer({
    'tools/list': { result: { tools: [{ name: 'stock', inputSchema: { type: 'object' } }] } },
    'tools/call': { result: { content: [{ type: 'text', text: '5 copies' }] } },
  });
  // With OAuth, each trial reads whether a grant exists. The test interrupts that read.
  const shop = { name: 'Shop', enabled: true, transportType: 'http', useOAuth: true };
  const body = { ...shop, url: server.url };
  serverId = (await launcher.ask('POST', 'servers', body)).body.id;
});
afterAll(async () => {
  await mcp.close();
  await closeServers();
  await service.stop();
});

type Away = 'none' | 'all' | 'targets' | 'silent';

interface RunningAttempt {
  readonly model: ScriptedModel;
  readonly leaving: AbortController;
  readonly stopping: AbortController;
  /** Makes the database unreachable or unresponsive for this worker, or restores it. */
  away(work: Away): void;
  readonly done: Promise<number | undefined>;
}

async function launchOne(more: object = {}): Promise<string> {
  const tests = [{ title: 'Counts', steps, model: lexicalModelId, ...more }];
  return launcher.launch(launcher.inline({ serverIds: [serverId], tests }));
}

/**
 * Claims the next work without waiting for the pauses between attempts, which these tests do not
 * cover.
 */
async function claim(): Promise<ClaimedWork> {
  await service.owner.sql`update leased_work set not_before = now() where not_before > now()`;
  const [work] = await claimWork(service.database.sql, trialsWork, 1, times.leaseMs);
  if (work === undefined) throw new Error('There is no work.');
  return work;
}

function attemptAt(
  work: ClaimedWork,
  script: ModelScript,
  awayFirst: Away = 'none',
): RunningAttempt {
  const model = createScriptedModel(script, lexicalModelId);
  let away = awayFirst;
  let tenants = 0;
  // The first three transactions open the run, list its trials and begin one. Later ones read the
  // servers' grants (`targets`).
  const database: Database = Object.create(service.database, {
    tenant: {
      value: (...asked: Parameters<Database['tenant']>) => {
        tenants += 1;
        if (away === 'silent') return new Promise(() => undefined);
        const isAway = away === 'all' || (away === 'targets' && tenants > 3);
        if (!isAway) return service.database.tenant(...asked);
        return Promise.reject(Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' }));
      },
    },
  });
  const [leaving, stopping] = [new AbortController(), new AbortController()];
  const log = createLog('info', { write: () => undefined });
  const dependencies = {
    database,
    mcp,
    models: model,
    patterns: linearPatterns,
    callsPerServer: 8,
    log,
    stdioAddressOf: () => undefined,
    runLimits: defaultRunLimits,
    verifyEgress: async () => true,
    scorers: createScorerGateway({ allowLoopback: true, allowedPrivateHosts: [] }),
    places: { run: (_target, _bound, _signal, call) => call() } satisfies Places,
  };
  const runs = new OpenRuns(dependencies);
  const kind = trialsKind(dependencies, runs, new TrialPayments(dependencies), {
    atOnce: 1,
    leaseMs: times.leaseMs,
  });
  const signals = { stopping: stopping.signal, leaving: leaving.signal };
  const leases = new LeaseKeeper(database, times);
  const parts = { database, log, times, leases, kind, signals, mayBegin: () => true };
  return {
    model,
    leaving,
    stopping,
    away: (asked) => {
      away = asked;
    },
    done: doWork(parts, work, performance.now()),
  };
}

async function untilAsked({ model }: RunningAttempt): Promise<void> {
  await vi.waitUntil(() => model.requests.length > 0, { timeout: 5000, interval: 5 });
}

async function trialOf(runId: string) {
  const [row] = await service.owner.sql<{ status: string; error: string }[]>`
    select status, error from eval_iterations where run_id = ${runId} order by ordinal`;
  return row;
}

async function workOf(runId: string) {
  const [row] = await service.owner.sql<{ status: string; attemptCost: number }[]>`
    select status, attempt_cost from leased_work where group_id = ${runId}`;
  return row;
}

async function end(runId: string): Promise<void> {
  await launcher.ask('POST', `eval-runs/${runId}/cancel`);
}

test('a trial that is given back because the process leaves has cost a fifth, and is free at once', async () => {
  const runId = await launchOne();
  const attempt = attemptAt(await claim(), hangs);
  await untilAsked(attempt);
  expect(await trialOf(runId)).toMatchObject({ status: 'running' });
  expect(await workOf(runId)).toEqual({ status: 'leased', attemptCost: 5 });
  attempt.leaving.abort();
  await attempt.done;
  expect(await workOf(runId)).toEqual({ status: 'open', attemptCost: 1 });
  expect(await claim()).toMatchObject({ groupId: runId, attemptCost: 6 });
  await end(runId);
});

test('work of which nothing is left when the process stops is completed, not given back', async () => {
  const runId = await launchOne();
  let answer: (reply: { text: string }) => void = () => undefined;
  const attempt = attemptAt(await claim(), () => new Promise((resolve) => (answer = resolve)));
  await untilAsked(attempt);
  attempt.stopping.abort();
  answer({ text: 'Five.' });
  await attempt.done;
  expect(await workOf(runId)).toMatchObject({ status: 'done' });
});

test('work given up after a standstill is free at once, long before its lease runs out', async () => {
  const runId = await launchOne();
  const work = await claim();
  await service.owner.sql`
    update leased_work set leased_until = now() + interval '1 hour' where group_id = ${runId}`;
  const attempt = attemptAt(work, hangs);
  await untilAsked(attempt);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
  await attempt.done;
  expect(await claim()).toMatchObject({ groupId: runId, attemptCost: 6 });
  await end(runId);
});

test('a trial whose lease ran out while the database was away has cost a fifth', async () => {
  const runId = await launchOne();
  const attempt = attemptAt(await claim(), hangs);
  await untilAsked(attempt);
  let isOver = false;
  void attempt.done.then(() => {
    isOver = true;
  });
  attempt.away('all');
  await new Promise((resolve) => setTimeout(resolve, times.leaseMs + 500));
  expect(isOver).toBe(false);
  // The other worker's attempt counts, because that worker has taken over.
  expect(await claim()).toMatchObject({ groupId: runId, attemptCost: 10 });
  attempt.away('none');
  await attempt.done;
  expect(await workOf(runId)).toEqual({ status: 'leased', attemptCost: 6 });
  await end(runId);
});

test('two workers never call the same tools, also when the database falls silent for one of them', async () => {
  const runId = await launchOne();
  const calledNames: string[] = [];
  const callsAgain =
    (name: string): ModelScript =>
    async () => {
      calledNames.push(name);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return {
        toolCalls: [{ toolCallId: String(calledNames.length), toolName: 'stock', input: {} }],
      };
    };
  const first = attemptAt(await claim(), callsAgain('first'));
  await untilAsked(first);
  first.away('silent');
  const again = await vi.waitUntil(
    async () => (await claimWork(service.database.sql, trialsWork, 1, times.leaseMs))[0],
    { timeout: 10_000, interval: 20 },
  );
  const second = attemptAt(again, callsAgain('second'));
  await second.done;
  expect(calledNames.lastIndexOf('first')).toBeLessThan(calledNames.indexOf('second'));
  expect(calledNames.indexOf('second')).toBeGreaterThan(0);
  expect(await trialOf(runId)).toMatchObject({ status: 'completed' });
}, 20_000);

test('a trial that ends with an error of the kind a cut connection gives is tried as often as any', async () => {
  const runId = await launchOne();
  let requests = 0;
  for (let count = 0; count < 5; count += 1) {
    const attempt = attemptAt(await claim(), fails);
    await attempt.done;
    requests += attempt.model.requests.length;
  }
  expect(requests).toBe(4);
  const trial = await trialOf(runId);
  expect(trial).toMatchObject({ status: 'failed' });
  expect(trial?.error).toContain('Proofmark itself could not run this trial; it tried 4 times.');
});

test.each([
  ['died each time', 20, 'it tried 4 times.'],
  ['was interrupted again and again', 16, 'it tried more than 4 times.'],
])(
  'a trial whose worker %s is told as ours, and the rest is run',
  async (_, attemptCost, words) => {
    const runId = await launchOne({ runs: 2 });
    // Changes the work so that a single slice contains both trials.
    await service.owner.sql`delete from leased_work where group_id = ${runId} and number > 1`;
    await service.owner.sql`
    update leased_work set last_item = 2, attempt_cost = ${attemptCost} where group_id = ${runId}`;
    const attempt = attemptAt(await claim(), answers);
    await attempt.done;
    expect(attempt.model.requests).toHaveLength(1);
    const rows = await service.owner.sql<{ status: string; error: string | null }[]>`
    select status, error from eval_iterations where run_id = ${runId} order by ordinal`;
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'completed']);
    expect(rows[0]?.error).toContain(words);
  },
);

test('attempts are counted anew once work made progress', async () => {
  const runId = await launchOne({ runs: 2 });
  await service.owner.sql`delete from leased_work where group_id = ${runId} and number > 1`;
  await service.owner.sql`
    update leased_work set last_item = 2, attempt_cost = 15 where group_id = ${runId}`;
  const replies = [{ text: 'Five.' }];
  const attempt = attemptAt(await claim(), () => replies.pop() ?? new Promise(() => undefined));
  await vi.waitUntil(() => attempt.model.requests.length === 2, { timeout: 5000 });
  expect(await workOf(runId)).toEqual({ status: 'leased', attemptCost: 5 });
  attempt.leaving.abort();
  await attempt.done;
  await end(runId);
});

test('a run that we can neither run nor tell of is ended without a verdict', async () => {
  const runId = await launchOne();
  await service.owner.sql`delete from eval_run_plans where run_id = ${runId}`;
  for (let count = 0; count < 5; count += 1) await attemptAt(await claim(), answers).done;
  const { body } = await launcher.ask('GET', `eval-runs/${runId}`);
  expect(body).toMatchObject({ status: 'failed', result: null });
});

test('a database that is away when a trial asks for a grant is waited for, and repeats nothing', async () => {
  const runId = await launchOne();
  const work = await claim();
  await service.owner.sql`
    update leased_work set leased_until = now() + interval '1 hour' where group_id = ${runId}`;
  const attempt = attemptAt(work, answers, 'targets');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(attempt.model.requests).toHaveLength(0);
  attempt.away('none');
  await attempt.done;
  expect(attempt.model.requests).toHaveLength(1);
  expect(await trialOf(runId)).toMatchObject({ status: 'completed' });
});
