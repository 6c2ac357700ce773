/**
 * A whole installation that executes runs: a PostgreSQL, a service without a worker, and workers as
 * separate processes. Beside it are a good server, a bad server whose tool always returns an error,
 * and a model that calls the tool and then answers. Tests kill, pause and restart the processes.
 * Each process has a name, which PostgreSQL shows too, and its own proxy to PostgreSQL, which can
 * go silent.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import type {
  ProofmarkProcess,
  StartedProofmark,
} from '@proofmark/harness/journeys/start-proofmark.ts';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import {
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  type ModelScript,
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { type SilentProxy, startSilentProxy } from '@proofmark/harness/silent-proxy.ts';
import { call, type TestAnswer } from '@proofmark/harness/test-service.ts';
import { startOwnCluster } from './own-cluster.ts';
import { type NotedWork, openRunHistory, type RunHistory } from './run-history.ts';

export type ServerKind = 'good' | 'bad';

export interface NamedProcess extends ProofmarkProcess {
  readonly name: string;
  readonly proxy: SilentProxy;
}

export interface Tenant {
  readonly key: string;
  readonly projectId: string;
  readonly servers: Readonly<Record<ServerKind, string>>;
}

export interface RunSetup {
  readonly history: RunHistory;
  readonly model: OpenAiServer;
  /** The calls of both servers' tools so far; `toolCallsUnderWay` counts the open ones. */
  readonly toolCalls: number;
  readonly toolCallsUnderWay: number;
  toolCallsOf(item: string): number;
  readonly service: StartedProofmark;
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own answer.
  admin(...parameters: string[]): Promise<any>;
  addTenant(name: string): Promise<Tenant>;
  restartService(): Promise<void>;
  startService(environment: Readonly<Record<string, string>>): Promise<StartedProofmark>;
  /** Starts a worker. The start is retried while the database is unreachable. */
  startWorker(): Promise<NamedProcess>;
  killDatabase(): Promise<void>;
  /** Sends a POST request if there is a body, otherwise a GET request. */
  request(
    tenant: Tenant,
    path: string,
    body?: unknown,
    more?: { readonly headers?: Record<string, string>; readonly at?: StartedProofmark },
  ): Promise<TestAnswer>;
  stop(): Promise<void>;
}

/**
 * The delays of the model and the tool, so that every kill meets open trials. Most of the time is
 * in the last answer: a worker that is paused there only has to write the result when it wakes.
 */
const firstAnswerMs = 20;
const lastAnswerMs = 250;
const toolMs = 50;
/** The time limit of a server's call in milliseconds; shorter than a lease. */
const longestCallMs = 5000;

export async function startRunSetup(work: NotedWork): Promise<RunSetup> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    return await buildStage(work, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts all parts. They are stopped in reverse order, even if a later start fails. */
async function buildStage(
  work: NotedWork,
  stops: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<RunSetup> {
  const cluster = await startOwnCluster();
  stops.push(() => cluster.stop());
  const workspace = createTestWorkspace();
  const databaseUrl = await cluster.createReadyDatabase();
  let toolCalls = 0;
  let toolCallsUnderWay = 0;
  const callsOfItems = new Map<string, number>();
  const takeCall = async (item: string) => {
    callsOfItems.set(item, (callsOfItems.get(item) ?? 0) + 1);
    toolCalls += 1;
    toolCallsUnderWay += 1;
    await after(toolMs);
    toolCallsUnderWay -= 1;
  };
  const servers: Record<ServerKind, FakeMcpServer> = {
    good: await startToolServer(false, takeCall),
    bad: await startToolServer(true, takeCall),
  };
  stops.push(() => Promise.all([servers.good.stop(), servers.bad.stop()]));
  const model = await startOpenAiServer({ steady, counting: counting(), hanging: () => 'hang' });
  stops.push(() => model.stop());
  stops.push(() => workspace.remove());
  writeConfig(workspace.folder, model.baseUrl);
  const settings = {
    PROOFMARK_SECRET_KEY: Buffer.from(Array.from({ length: 32 }, (_, at) => at * 13 + 5)).toString(
      'hex',
    ),
    PROOFMARK_RATE_LIMIT: 'off',
    PROOFMARK_CONCURRENT_RUNS: '1000',
    PROOFMARK_TRIALS_AT_ONCE: '6',
    PROOFMARK_BRAKES: 'off',
    PROOFMARK_JOURNEY_RUNS_PER_DAY: '100000',
    PROOFMARK_LOG_LEVEL: 'warn',
  };
  let started = 0;
  const named = async (kind: string) => {
    started += 1;
    const name = `${kind}-${started}`;
    const proxy = await startSilentProxy(() => databaseUrl);
    stops.push(() => proxy.stop());
    const url = new URL(proxy.url);
    url.searchParams.set('application_name', name);
    return { name, proxy, flags: ['--database-url', url.href] };
  };
  const startService = (environment: Readonly<Record<string, string>> = {}) =>
    again(async () => {
      const { flags } = await named('service');
      return workspace.serve([...flags, '--no-worker'], { ...settings, ...environment });
    });
  let service = await startService();
  const history = await openRunHistory(databaseUrl, work);
  stops.push(() => history.close());

  const request: RunSetup['request'] = (
    tenant,
    path,
    body,
    { headers = {}, at = service } = {},
  ) => {
    const method = body === undefined ? 'GET' : 'POST';
    const url = `${at.url}/api/v1/projects/${tenant.projectId}/${path}`;
    return call(url, { method, key: tenant.key, headers, body });
  };

  const admin: RunSetup['admin'] = async (...parameters) => {
    const where = ['--json', '--database-url', databaseUrl];
    const done = await workspace.runHere(['admin', ...parameters, ...where], settings);
    if (done.code !== 0) throw new Error(done.stderr);
    return JSON.parse(done.stdout);
  };

  return {
    history,
    model,
    admin,
    get toolCalls() {
      return toolCalls;
    },
    get toolCallsUnderWay() {
      return toolCallsUnderWay;
    },
    toolCallsOf: (item) => callsOfItems.get(item) ?? 0,
    get service() {
      return service;
    },
    request,
    startService,
    async addTenant(name) {
      const email = `owner@${name.toLowerCase()}.example`;
      const who = ['--email', email, '--organization', name];
      const { apiKey: key, projectId } = await admin('bootstrap', ...who);
      const tenant = { key, projectId, servers: { good: '', bad: '' } };
      for (const kind of ['good', 'bad'] as const) {
        const { url } = servers[kind];
        const timeout = longestCallMs;
        const fields = { name: kind, enabled: true, transportType: 'http', url, timeout };
        const made = await request(tenant, 'servers', fields);
        if (made.status !== 201) throw new Error(made.text);
        tenant.servers[kind] = made.body.id;
      }
      return tenant;
    },
    async restartService() {
      await service.kill();
      service = await startService();
    },
    startWorker: () =>
      again(async () => {
        const { name, proxy, flags } = await named('worker');
        const worker = workspace.spawn(['work', ...flags], settings);
        let ended = false;
        void worker.ended.then(() => {
          ended = true;
        });
        await until(
          () => ended || worker.stdout().includes('ready'),
          'the worker is ready',
          60_000,
        );
        if (ended) throw new Error(worker.stderr());
        return { ...worker, name, proxy };
      }),
    async killDatabase() {
      cluster.kill();
      await until(() => history.isReachable(), 'the database is back');
    },
    stop,
  };
}

/** Retries for a while, since the database may be unreachable. */
async function again<Result>(start: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      if (tries === 10) throw error;
      await after(300);
    }
  }
}

function writeConfig(folder: string, baseUrl: string): void {
  const models = [{ name: 'steady' }, { name: 'counting' }, { name: 'hanging' }];
  const provider = {
    name: 'local',
    kind: 'openai-compatible',
    baseUrl,
    models,
    requestsAtOnce: 100,
  };
  writeFileSync(`${folder}/proofmark.config.json`, JSON.stringify({ modelProviders: [provider] }));
}

const steady: ModelScript = async ({ messages, tools = [] }) => {
  const last = messages.at(-1);
  await after(last?.role === 'tool' ? lastAnswerMs : firstAnswerMs);
  if (last?.role === 'tool') return { text: 'There are four of them.' };
  const item = /item-\w+/.exec(JSON.stringify(last?.content))?.[0] ?? '';
  const name = tools[0]?.function.name ?? '';
  return { toolCalls: [{ name, arguments: { item } }] };
};

/** Wraps the model so that no two answers are the same. */
function counting(): ModelScript {
  let answers = 0;
  return async (...asked) => {
    const answer = await steady(...asked);
    answers += 1;
    return typeof answer === 'object' && 'text' in answer && answer.text !== undefined
      ? { text: `${answer.text} Counted ${answers}.` }
      : answer;
  };
}

async function startToolServer(
  isError: boolean,
  takeCall: (item: string) => Promise<void>,
): Promise<FakeMcpServer> {
  const inputSchema = {
    type: 'object',
    properties: { item: { type: 'string' } },
    required: ['item'],
  };
  const server = await startFakeMcpServer({
    'tools/list': { tools: [{ name: 'count_stock', description: 'Counts.', inputSchema }] },
    'tools/call': async (response, request) => {
      const { arguments: given } = request.message['params'] as { arguments?: { item?: string } };
      await takeCall(given?.item ?? '');
      // Requests are not stored, since there are many and no test reads them.
      server.requests.length = 0;
      const text = isError ? 'The stock cannot be read.' : '4';
      sendJson(response, rpcResult(request, { content: [{ type: 'text', text }], isError }));
    },
  });
  return server;
}
