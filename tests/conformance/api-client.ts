/**
 * The MCP client for the conformance suite: a command that saves the given address as a server of a
 * running service, and uses that server through the API. Exits with 1 if an answer differs from the
 * plan.
 */
import { scenarios } from './scenarios.ts';

const serverUrl = process.argv.at(-1) as string;
const { CONFORMANCE_API: base, CONFORMANCE_KEY: key } = process.env;
const name = process.env['MCP_CONFORMANCE_SCENARIO'];
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
const plan = scenarios.find((scenario) => scenario.name === name)?.plan;
if (plan === undefined) throw new Error(`There is no plan for ${name}.`);

const saved = await post('', {
  name: `${name} ${Date.now()}`,
  enabled: true,
  transportType: 'http',
  url: serverUrl,
  timeout: 20_000,
});
expectStatus(saved, 201);
const serverPath = `/${saved.body['id']}`;
if (plan.imports !== undefined) await importTokens(plan.imports.clientSecret);
if (plan.importIsRefused !== true) {
  expectStatus(await post(`${serverPath}/validate`, {}), 200);
  if (plan.tool !== undefined) {
    expectStatus(await post(`${serverPath}/tools`, {}), 200);
    expectStatus(await post(`${serverPath}/tools/call`, plan.tool), 200);
  }
}

async function importTokens(clientSecret: 'any' | 'given' | undefined): Promise<void> {
  const secrets = { any: 'a-client-secret', given: context['client_secret'] };
  const answer = await post(`${serverPath}/oauth/import-tokens`, {
    serverUrl,
    clientInformation: {
      clientId: context['client_id'] ?? 'a-client',
      ...(clientSecret !== undefined && { clientSecret: secrets[clientSecret] }),
    },
    tokens: { access_token: 'over', refresh_token: 'a-refresh-token', expires_in: 0 },
  });
  if (plan?.importIsRefused !== true) expectStatus(answer, 200);
  else if (answer.status < 400) throw new Error('The import was not refused.');
}

async function post(path: string, body: object) {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  process.stdout.write(`${path} ${response.status} ${JSON.stringify(answer)}\n`);
  return { path, status: response.status, body: answer };
}

function expectStatus(answer: Awaited<ReturnType<typeof post>>, status: number): void {
  if (answer.status === status) return;
  throw new Error(`${answer.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}
