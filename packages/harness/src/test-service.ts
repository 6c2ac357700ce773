import { request as send } from 'undici';
import { createLog } from '../../server/src/main/log.ts';
import { createOperator } from '../../server/src/main/operator.ts';
import {
  createServiceListener,
  type ServiceOptions,
} from '../../server/src/main/service-listener.ts';
import { createMcpGateway } from '../../server/src/outside/mcp/create-mcp-gateway.ts';
import { createModelGateway } from '../../server/src/outside/model/create-model-gateway.ts';
import {
  startSession,
  createSignInLink as writeSignInLink,
} from '../../server/src/platform/accounts/sessions.ts';
import { listen } from '../../server/src/platform/http/listen.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { testEgress, testHttpOptions } from './test-http-options.ts';

export interface TestService extends TestDatabase {
  readonly baseUrl: string;
  readonly operator: ReturnType<typeof createOperator>;
  readonly logLines: readonly string[];
  another(options?: Partial<ServiceOptions>): Promise<{ baseUrl: string; stop(): Promise<void> }>;
  stop(): Promise<void>;
}

export async function startTestService(
  options: Partial<ServiceOptions> = {},
): Promise<TestService> {
  const testDatabase = await createTestDatabase();
  const logLines: string[] = [];
  const log = createLog('info', { write: (line) => void logLines.push(line) });
  const another = async (changed: Partial<ServiceOptions> = {}) => {
    // Only this gateway is closed here. A caller that passes another gateway must close that
    // gateway.
    const own = createMcpGateway({
      egress: testEgress,
      client: { name: 'proofmark-test', version: '1' },
    });
    const ownModels = createModelGateway({ egress: testEgress });
    const given = { ...options, ...changed };
    const http = {
      ...testHttpOptions({
        database: testDatabase.database,
        log,
        mcp: given.mcp ?? own,
        models: given.models ?? ownModels,
      }),
      ...given,
    };
    const listener = createServiceListener(http);
    const listening = await listen(listener, { host: '127.0.0.1', port: 0 });
    return {
      baseUrl: `http://127.0.0.1:${listening.port}`,
      async stop() {
        await http.turns.close();
        await listening.stop(1000);
        await own.close();
        await ownModels.close();
      },
    };
  };
  const first = await another();
  return {
    ...testDatabase,
    baseUrl: first.baseUrl,
    operator: createOperator(testDatabase.owner, first.baseUrl),
    logLines,
    another,
    async stop() {
      await first.stop();
      await testDatabase.drop();
    },
  };
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

export async function call(
  url: string,
  request: {
    method?: string;
    key?: string | undefined;
    headers?: Record<string, string>;
    body?: unknown;
    text?: string;
  } = {},
): Promise<TestAnswer> {
  const payload =
    request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  // `request` of `undici` takes a third of the CPU of `fetch`; each test run makes tens of
  // thousands of calls. It follows no redirects, decompresses nothing and adds no headers.
  const answer = await send(url, {
    method: request.method ?? 'GET',
    headers: {
      ...(request.key !== undefined && { authorization: `Bearer ${request.key}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(payload !== undefined && { body: payload }),
  });
  const text = await answer.body.text();
  const headers = headersOf(answer.headers);
  const isJson = headers.get('content-type')?.startsWith('application/json');
  return {
    status: answer.statusCode,
    headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

function headersOf(given: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(given)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  return headers;
}

export async function signInAs(
  service: TestService,
  accountId: string,
): Promise<Record<string, string>> {
  const way = { method: 'link', address: null } as const;
  const started = await startSession(service.database, accountId, way);
  if (started === undefined) throw new Error('A disabled account cannot sign in.');
  const cookie = `proofmark_session=${started.token}`;
  const session = await call(`${service.baseUrl}/console/v1/session`, { headers: { cookie } });
  return { cookie, origin: service.baseUrl, 'x-csrf-token': session.body.csrfToken };
}

export async function createSignInLink(
  database: TestDatabase['database'],
  accountId: string,
): Promise<{ token: string; expiresAt: Date }> {
  const actor = { accountId: null, accountEmail: 'test', callerKind: 'operator' } as const;
  const link = await database.transaction((sql) => writeSignInLink(sql, accountId, actor));
  if (link === undefined) throw new Error('A disabled account gets no link.');
  return link;
}
