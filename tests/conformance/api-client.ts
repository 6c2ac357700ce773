/**
 * The MCP client for the conformance suite: a command that saves the given address as a server of a
 * running service, and uses that server through the API. Exits with 1 if an answer differs from the
 * plan.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Action, type Call, clientScenario, type Plan } from './scenarios.ts';

type Body = Readonly<Record<string, unknown>>;

const serverUrl = process.argv.at(-1) as string;
const { CONFORMANCE_API: base, CONFORMANCE_KEY: key } = process.env;
const name = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Body;
const { plan } = clientScenario(name);
if (plan === undefined) throw new Error(`There is no plan for ${name}.`);

const saved = await send('POST', '/servers', {
  name: `${name} ${Date.now()}`,
  enabled: true,
  transportType: 'http',
  url: serverUrl,
  timeout: 20_000,
});
expectStatus(saved, 201);
const serverId = String(saved.body['id']);
const serverPath = `/servers/${serverId}`;
let listed: readonly Body[] = [];
if (plan.imports !== undefined) await importTokens(plan.imports.clientSecret, plan);
if (plan.importIsRefused !== true) {
  for (const action of plan.actions ?? []) await act(action);
  if (plan.trial !== undefined) await play(plan.trial);
}

async function act(action: Action): Promise<void> {
  if (typeof action === 'object') {
    if ('call' in action) return callTool(action.call);
    if ('prompt' in action) return ask('prompts/get', { promptName: action.prompt });
    const { body } = await send('POST', `${serverPath}/resources`, {});
    const [resource] = body['items'] as Body[];
    return ask('resources/read', { uri: resource?.['uri'] });
  }
  switch (action) {
    case 'tools': {
      const answer = await send('POST', `${serverPath}/tools`, {});
      expectStatus(answer, 200);
      listed = answer.body['items'] as Body[];
      return;
    }
    case 'callListed':
      for (const tool of listed) await callAny(String(tool['name']));
      return;
    case 'echoSchema': {
      const focal = listed.find((tool) => tool['name'] === 'json_schema_2020_12_tool');
      const parameters = { schema: focal?.['inputSchema'] };
      return callTool({ toolName: 'json_schema_echo', parameters });
    }
    default:
      return ask(action, {});
  }
}

async function callTool({ toolName, parameters }: Call): Promise<void> {
  await ask('tools/call', { toolName, ...(parameters && { parameters }) });
}

/** Some tools of the scenario are invalid, so an error is a right answer. */
async function callAny(toolName: string): Promise<void> {
  await send('POST', `${serverPath}/tools/call`, { toolName, parameters: { region: 'here' } });
}

async function ask(path: string, body: object): Promise<void> {
  expectStatus(await send('POST', `${serverPath}/${path}`, body), 200);
}

async function play({ calls, elicitations }: NonNullable<Plan['trial']>): Promise<void> {
  const steps = (calls === 'named' ? namedCalls() : calls).map(
    ({ toolName, parameters = {} }, index) => ({
      kind: 'toolCall',
      id: `call-${index}`,
      serverName: saved.body['name'],
      serverId,
      toolName,
      arguments: parameters,
    }),
  );
  const suite = await send('POST', '/eval-suites', {
    name: `${name} ${Date.now()}`,
    mode: 'serverContract',
    serverIds: [serverId],
    tests: [{ title: name, steps, ...(elicitations.length > 0 && { elicitations }) }],
  });
  expectStatus(suite, 201);
  const run = await send('POST', '/eval-runs', { suiteId: suite.body['suiteId'] });
  expectStatus(run, 202);
  for (;;) {
    const { body } = await send('GET', `/eval-runs/${run.body['runId']}`);
    if (body['status'] !== 'pending' && body['status'] !== 'running') return;
    await wait(200);
  }
}

function namedCalls(): Call[] {
  const named = context['toolCalls'] as { name: string; arguments: object }[];
  return named.map((one) => ({ toolName: one.name, parameters: one.arguments }));
}

async function importTokens(
  clientSecret: 'any' | 'given' | undefined,
  { importIsRefused }: Plan,
): Promise<void> {
  const secrets = { any: 'a-client-secret', given: context['client_secret'] };
  const answer = await send('POST', `${serverPath}/oauth/import-tokens`, {
    serverUrl,
    clientInformation: {
      clientId: context['client_id'] ?? 'a-client',
      ...(clientSecret !== undefined && { clientSecret: secrets[clientSecret] }),
    },
    tokens: { access_token: 'over', refresh_token: 'a-refresh-token', expires_in: 0 },
  });
  if (importIsRefused !== true) expectStatus(answer, 200);
  else if (answer.status < 400) throw new Error('The import was not refused.');
}

async function send(method: 'GET' | 'POST', path: string, body?: object) {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Body;
  process.stdout.write(`${path} ${response.status} ${JSON.stringify(answer)}\n`);
  return { path, status: response.status, body: answer };
}

function expectStatus(answer: Awaited<ReturnType<typeof send>>, status: number): void {
  if (answer.status === status) return;
  throw new Error(`${answer.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}
