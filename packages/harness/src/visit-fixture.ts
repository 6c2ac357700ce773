/**
 * Visitors of share links call the API over HTTP as their browsers do. The API, the MCP servers and
 * the model provider on loopback are real. An environment without a model uses the built-in lexical
 * model.
 */
import type { PricePerMillion } from '@proofmark/domain';
import type { ServiceOptions } from '../../server/src/main/service-listener.ts';
import { createModelGateway } from '../../server/src/outside/model/create-model-gateway.ts';
import {
  type FakeAnswer,
  type FakeMcpServer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from './mcp-servers/fake-mcp-server.ts';
import {
  type ModelScript,
  type OpenAiServer,
  startOpenAiServer,
} from './model-servers/start-openai-server.ts';
import { type ProjectCaller, projectCaller } from './project-caller.ts';
import { unique } from './reporter.ts';
import { call, startTestService, type TestAnswer, type TestService } from './test-service.ts';
import { createTenant, type Tenant } from './two-tenants.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Answer = any;

export const orderTools = [
  {
    name: 'order_status',
    description: 'Tells the status of an order by its number.',
    inputSchema: {
      type: 'object',
      properties: { order: { type: 'string', description: 'The number of the order.' } },
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'cancel_order',
    description: 'Cancels an order by its number.',
    inputSchema: {
      type: 'object',
      properties: { order: { type: 'string', description: 'The number of the order.' } },
    },
  },
];

export interface Published {
  readonly id: string;
  readonly token: string;
  readonly environmentId: string;
}

export interface VisitFixture {
  readonly service: TestService;
  readonly tenant: Tenant;
  readonly provider: OpenAiServer;
  readonly ask: ProjectCaller;
  get(status: number, ...request: Parameters<ProjectCaller>): Promise<Answer>;
  mcpServer(
    answers?: Readonly<Record<string, FakeAnswer>>,
    saved?: object,
  ): Promise<FakeMcpServer & { readonly id: string; readonly name: string }>;
  environment(config: object): Promise<string>;
  publish(environmentId: string, mode?: string): Promise<Published>;
  /** Publishes a scenario with a server about orders (default: on the lexical model). */
  scenario(config?: object, mode?: string): Promise<Published>;
  /** Publishes a scenario with a server whose tool responds only after `letGo` is called. */
  slowScenario(mode?: string, config?: object): Promise<Published>;
  untilHeld(count?: number): Promise<void>;
  letGo(): void;
  forget(): void;
  visitor(headers?: Readonly<Record<string, string>>, baseUrl?: string): Promise<Visitor>;
  count(table: string): Promise<number>;
  stop(): Promise<void>;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: every call of the fixture works on the same service, servers and held calls.
export async function startVisitFixture({
  scripts = {},
  prices = {},
  ...options
}: {
  readonly scripts?: Readonly<Record<string, ModelScript>>;
  readonly prices?: Readonly<Record<string, PricePerMillion>>;
} & Partial<ServiceOptions> = {}): Promise<VisitFixture> {
  const provider = await startOpenAiServer(scripts);
  const models = createModelGateway({
    egress: { allowLoopback: true, allowedPrivateHosts: [] },
    limits: { sends: 1, firstWaitMs: 5 },
    providers: [
      {
        name: 'local',
        kind: 'openai-compatible',
        baseUrl: provider.baseUrl,
        apiKey: 'sk-operator',
        models: Object.keys(scripts).map((name) => ({ name, ...prices[name] })),
      },
    ],
  });
  const service = await startTestService({ models, ...options });
  const tenant = await createTenant(service, 'acme');
  await service.operator.setFeature(tenant.organizationId, 'user-testing', 'on');
  const ask = projectCaller(service, tenant);
  const servers: FakeMcpServer[] = [];
  const get: VisitFixture['get'] = async (status, ...request) => {
    const answer = await ask(...request);
    if (answer.status !== status) throw new Error(`${request.join(' ')}: ${answer.text}`);
    return answer.body;
  };
  const mcpServer: VisitFixture['mcpServer'] = async (answers = {}, saved = {}) => {
    const server = await startFakeMcpServer({ 'tools/list': { tools: orderTools }, ...answers });
    servers.push(server);
    const name = unique('Orders');
    const body = { name, enabled: true, transportType: 'http', url: server.url, ...saved };
    return { ...server, id: (await get(201, 'POST', 'servers', body)).id, name };
  };
  const environment: VisitFixture['environment'] = async (config) => {
    const host = { name: unique('Client'), config };
    const hostId = (await get(201, 'POST', 'clients', host)).id;
    return (await get(201, 'POST', 'environments', { name: unique('Shop'), hostId })).id;
  };
  const publish: VisitFixture['publish'] = async (environmentId, mode = 'anyone_with_link') => {
    const made = await get(201, 'PUT', `environments/${environmentId}/scenario`, { mode });
    return { id: made.id, token: tokenOf(made.link), environmentId };
  };
  const held: (() => void)[] = [];
  return {
    service,
    tenant,
    provider,
    ask,
    get,
    mcpServer,
    environment,
    publish,
    async slowScenario(mode, more = {}) {
      const server = await mcpServer({
        'tools/call': (response, request) => {
          const result = { content: [{ type: 'text', text: 'late' }] };
          held.push(() => sendJson(response, rpcResult(request, result)));
        },
      });
      const config = { modelId: 'proofmark/lexical-1', serverIds: [server.id], ...more };
      return publish(await environment(config), mode);
    },
    async untilHeld(count = 1) {
      for (let tries = 0; held.length < count; tries += 1) {
        if (tries > 300) throw new Error('No call was made.');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    letGo() {
      for (const answer of held.splice(0)) answer();
    },
    forget: () => void held.splice(0),
    async scenario(config = {}, mode) {
      const { id } = await mcpServer();
      const played = { modelId: 'proofmark/lexical-1', serverIds: [id], ...config };
      return publish(await environment(played), mode);
    },
    visitor: (headers = {}, baseUrl = service.baseUrl) => Visitor.arrive(baseUrl, headers),
    async count(table) {
      const rows = await service.owner.sql.written<{ count: number }[]>(
        `select count(*)::integer as count from ${table}`,
        [],
      );
      return rows[0]?.count ?? 0;
    },
    async stop() {
      await service.stop();
      for (const server of servers) await server.stop();
      await models.close();
      await provider.stop();
    },
  };
}

export function tokenOf(link: string): string {
  return link.replace(/#.*$/, '').split('/').at(-1) ?? '';
}

export interface TurnAnswer extends TestAnswer {
  readonly lines: readonly Answer[];
}

export class Visitor {
  readonly #baseUrl: string;
  readonly headers: Record<string, string>;
  accessVersion = 1;
  scenarioId = '';
  sessionId = '';

  constructor(baseUrl: string, headers: Record<string, string>) {
    this.#baseUrl = baseUrl;
    this.headers = headers;
  }

  static async arrive(
    baseUrl: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Visitor> {
    const answer = await call(`${baseUrl}/visit/v1/session`, { headers: { ...headers } });
    const [cookie] = (answer.headers.get('set-cookie') ?? '').split(';');
    return new Visitor(baseUrl, {
      origin: baseUrl,
      'x-csrf-token': answer.body.csrfToken,
      ...(cookie && { cookie }),
      ...headers,
    });
  }

  send(method: string, path: string, body?: object): Promise<TestAnswer> {
    const url = `${this.#baseUrl}/visit/v1/${path}`;
    return call(url, { method, headers: this.headers, ...(body && { body }) });
  }

  get scenario(): string {
    return `scenarios/${this.scenarioId}`;
  }

  get session(): string {
    return `${this.scenario}/sessions/${this.sessionId}`;
  }

  async redeem(body: object): Promise<TestAnswer> {
    const answer = await this.send('POST', 'redeem', body);
    if (answer.status === 200) {
      this.accessVersion = answer.body.accessVersion;
      this.scenarioId = answer.body.scenarioId;
    }
    return answer;
  }

  renew(): Promise<TestAnswer> {
    return this.redeem({ scenarioId: this.scenarioId });
  }

  async enter(token: string, invite?: string): Promise<Visitor> {
    const redeemed = await this.redeem({ token, ...(invite && { invite }) });
    if (redeemed.status !== 200) throw new Error(redeemed.text);
    const { accessVersion } = this;
    const noticeVersion = redeemed.body.notice.version;
    const consent = await this.send('POST', `${this.scenario}/consent`, {
      noticeVersion,
      accessVersion,
    });
    if (consent.status !== 200) throw new Error(consent.text);
    await this.begin();
    return this;
  }

  async begin(): Promise<void> {
    const { accessVersion } = this;
    const made = await this.send('POST', `${this.scenario}/sessions`, { accessVersion });
    if (made.status !== 201) throw new Error(made.text);
    this.sessionId = made.body.sessionId;
  }

  async another(): Promise<Visitor> {
    const { accessVersion, scenarioId } = this;
    const same = Object.assign(new Visitor(this.#baseUrl, this.headers), {
      accessVersion,
      scenarioId,
    });
    await same.begin();
    return same;
  }

  async turn(text: string, clientTurnId = unique('turn')): Promise<TurnAnswer> {
    const { accessVersion } = this;
    const answer = await this.send('POST', `${this.session}/turns`, {
      text,
      clientTurnId,
      accessVersion,
    });
    const isLines = answer.headers.get('content-type')?.startsWith('application/x-ndjson');
    const lines = isLines
      ? answer.text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
    return { ...answer, lines };
  }

  async read(): Promise<Answer> {
    return (await this.send('GET', this.session)).body;
  }

  async until(isSo: (session: Answer) => boolean): Promise<Answer> {
    for (let tries = 0; ; tries += 1) {
      const session = await this.read();
      if (isSo(session)) return session;
      if (tries > 300)
        throw new Error(`The awaited state did not come in time: ${JSON.stringify(session)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
