import type { PricePerMillion } from '@proofmark/domain';
import { createModelGateway } from '../../server/src/outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../../server/src/outside/model/model-gateway.ts';
import type { ModelProvider } from '../../server/src/outside/model/model-provider.ts';
import { defaultRunLimits, type RunLimits } from '../../server/src/platform/spending/run-limits.ts';
import {
  type FakeAnswer,
  type FakeMcpServer,
  startFakeMcpServer,
} from './mcp-servers/fake-mcp-server.ts';
import {
  type ModelScript,
  type OpenAiServer,
  startOpenAiServer,
} from './model-servers/start-openai-server.ts';
import { type ProjectCaller, projectCaller } from './project-caller.ts';
import { unique } from './reporter.ts';
import { stageTools } from './stage-servers.ts';
import { startTestService, type TestAnswer, type TestService } from './test-service.ts';
import { startTestWorker, type TestWorker, untilEnded } from './test-worker.ts';
import { createTenant, type Tenant } from './two-tenants.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Answer = any;

export interface EndedRun {
  readonly runId: string;
  readonly run: Answer;
  readonly summary: Answer;
  readonly trials: readonly Answer[];
}

export interface EvalFixture {
  readonly service: TestService;
  readonly tenant: Tenant;
  readonly models: ModelGateway;
  readonly provider: OpenAiServer;
  readonly ask: ProjectCaller;
  /**
   * Returns the body if the response has this status. Otherwise the test fails and shows the body.
   */
  get(status: number, ...request: Parameters<ProjectCaller>): Promise<Answer>;
  expect(status: number, asked: Promise<TestAnswer>): Promise<Answer>;
  mcpServer(
    answers?: Readonly<Record<string, FakeAnswer>>,
  ): Promise<FakeMcpServer & { readonly id: string; readonly name: string }>;
  save(url: string): Promise<{ readonly id: string; readonly name: string }>;
  /**
   * Creates a suite. A case may have any field in addition to the listed ones. `patch` may edit any
   * field of the suite.
   */
  suite(suiteOptions: SuiteOptions): Promise<string>;
  run(suiteId: string, more?: object): Promise<EndedRun>;
  read(runId: string): Promise<EndedRun>;
  judged(runId: string): Promise<Answer>;
  client(config: object): Promise<string>;
  /** Stops the worker, calls `meanwhile`, then starts another worker. */
  restartWorker(options?: {
    readonly egressWorks?: boolean;
    readonly models?: ModelGateway;
    readonly meanwhile?: () => Promise<void>;
  }): Promise<void>;
  stop(): Promise<void>;
}

export interface SuiteOptions {
  readonly serverIds: readonly string[];
  readonly cases: readonly {
    readonly title: string;
    readonly steps: readonly object[];
    readonly [setting: string]: unknown;
  }[];
  readonly model?: string;
  readonly settings?: object;
  readonly patch?: object;
}

/**
 * Each script is offered as the model `local/<name>`. A request to a failing provider is retried
 * only once.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: every call of the fixture works on the same service, worker and servers.
export async function startEvalFixture(
  scripts: Readonly<Record<string, ModelScript>>,
  limits: Partial<RunLimits> = {},
  /** US dollars per million tokens, by script name. */
  prices: Readonly<Record<string, PricePerMillion>> = {},
  others: readonly ModelProvider[] = [],
): Promise<EvalFixture> {
  const provider = await startOpenAiServer(scripts);
  const models = createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    limits: { sends: 2, firstWaitMs: 5 },
    providers: [
      {
        name: 'local',
        kind: 'openai-compatible',
        baseUrl: provider.baseUrl,
        apiKey: 'sk-operator',
        models: Object.keys(scripts).map((name) => ({ name, ...prices[name] })),
      },
      ...others,
    ],
  });
  const runLimits = { ...defaultRunLimits, concurrentRuns: 1000, ...limits };
  const service = await startTestService({ models, runLimits });
  const tenant = await createTenant(service, 'acme');
  let worker: TestWorker = await startTestWorker(service, models, {
    trialsAtOnce: 8,
    runLimits,
  });
  const ask = projectCaller(service, tenant);
  const servers: FakeMcpServer[] = [];
  const expectStatus: EvalFixture['expect'] = async (status, asked) => {
    const answer = await asked;
    if (answer.status === status) return answer.body;
    const [problem = ''] = service.logLines.filter((line) => line.includes('"err"')).slice(-1);
    throw new Error(`${answer.text} ${problem}`);
  };
  const get: EvalFixture['get'] = (status, ...request) => expectStatus(status, ask(...request));
  const save: EvalFixture['save'] = async (url) => {
    const name = unique('Server');
    const saved = { name, enabled: true, transportType: 'http', url };
    return { id: (await get(201, 'POST', 'servers', saved)).id, name };
  };
  const read = async (runId: string): Promise<EndedRun> => {
    const run = await untilEnded(service, tenant, runId).catch((error: Error) => {
      const lastLines = worker.logLines.slice(-20).join('\n');
      throw new Error(`${error.message}\nThe last lines of the worker's log:\n${lastLines}`);
    });
    const summary = await get(200, 'GET', `eval-runs/${runId}/decision-summary`);
    const { items } = await get(200, 'GET', `eval-runs/${runId}/iterations`);
    return { runId, run, summary, trials: items };
  };
  return {
    service,
    tenant,
    models,
    provider,
    ask,
    get,
    save,
    read,
    expect: expectStatus,
    async mcpServer(answers = {}) {
      const server = await startFakeMcpServer({ 'tools/list': { tools: stageTools }, ...answers });
      servers.push(server);
      return { ...server, ...(await save(server.url)) };
    },
    async suite({ serverIds, cases, model = 'local/one', settings, patch }) {
      const tests = cases.map(({ title, steps }) => ({ title, steps }));
      const name = unique('Suite');
      const made = await get(201, 'POST', 'eval-suites', {
        name,
        serverIds,
        model,
        tests,
        ...(settings !== undefined && { settings }),
      });
      const path = `eval-suites/${made.suiteId}`;
      for (const [index, { title: _, steps: __, ...more }] of cases.entries()) {
        const { id } = made.caseUpsert.committed[index];
        if (Object.keys(more).length > 0) await get(200, 'PATCH', `${path}/cases/${id}`, more);
      }
      if (patch !== undefined) await get(200, 'PATCH', path, patch);
      return made.suiteId;
    },
    async run(suiteId, more = {}) {
      return read((await get(202, 'POST', 'eval-runs', { suiteId, ...more })).runId);
    },
    async judged(runId) {
      for (let tries = 0; ; tries += 1) {
        const { judges } = await get(200, 'GET', `eval-runs/${runId}`);
        if (['completed', 'failed'].includes(judges.goalCompletion.status)) {
          return judges.goalCompletion;
        }
        if (tries > 400) throw new Error(`The judge did not end: ${JSON.stringify(judges)}`);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    },
    async client(config) {
      return (await get(201, 'POST', 'clients', { name: unique('Client'), config })).id;
    },
    async restartWorker({ egressWorks = true, models: given = models, meanwhile } = {}) {
      await worker.stop();
      await meanwhile?.();
      worker = await startTestWorker(service, given, { trialsAtOnce: 8, egressWorks, runLimits });
    },
    async stop() {
      await worker.stop();
      for (const server of servers) await server.stop();
      await service.stop();
      await models.close();
      await provider.stop();
    },
  };
}
