/**
 * Runs in its own network namespace: a worker, and the real service on loopback behind an nginx
 * with the guide's example. Sends every input that takes a URL, and prints the results.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAttacker, startCanaries, startNameServer } from './egress-attacker.ts';
import { addresses } from './egress-attempts.ts';
import { bridgeDatabase, type Orders, prepareNetwork, startProgram } from './inside-namespace.ts';
import { askProxy, type ProxyAnswer, startNginx } from './nginx-in-front.ts';
import type { Template, UrlInput } from './url-inputs.ts';

export interface Tried {
  readonly what: string;
  readonly url: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly reason: string | undefined;
}

export interface ProxyOrders {
  readonly nginx: string;
  readonly inputs: readonly UrlInput[];
  readonly outbound: readonly Template[];
}

const orders = JSON.parse(process.argv[2] ?? '') as Orders & ProxyOrders;
const ports = { canary: 8080, listed: 8099, attacker: 8088, held: 8090 };
const honest = `http://honest.attacker.test:${ports.attacker}/mcp`;
const literals = [
  ...addresses.canaries.map((address) => (address.includes(':') ? `[${address}]` : address)),
  ...['[::ffff:127.0.0.1]', 'localhost', '2130706433'],
].map((host) => `http://${host}:${ports.canary}/mcp`);
const names = ['inward', 'metadata', 'six', 'loopback', 'mixed', 'mixed-six'].map(
  (name) => `http://${name}.attacker.test:${ports.canary}/mcp`,
);
const own = [3300, 5432].flatMap((port) =>
  ['127.0.0.1', 'localhost', '[::ffff:7f00:1]', addresses.service, 'loopback.attacker.test'].map(
    (host) => `http://${host}:${port}/mcp`,
  ),
);

prepareNetwork(orders);
const hits = await startCanaries([ports.canary]);
await startNameServer();
await startAttacker(ports.attacker);
const listed = await startListed();
const settings = {
  PROOFMARK_DATABASE_URL: await bridgeDatabase(orders),
  PROOFMARK_PUBLIC_URL: 'https://proofmark.example',
  PROOFMARK_TRUSTED_PROXIES: '127.0.0.1',
  // The settings allow one server on loopback by its address and port. Allowing a name does not
  // allow loopback, and the service's ports stay forbidden even if they are listed.
  PROOFMARK_EGRESS_ALLOW: [
    ...[`127.0.0.1:${ports.listed}`, 'loopback.attacker.test', '127.0.0.1:3300', '127.0.0.1:5432'],
  ].join(),
  PROOFMARK_CONCURRENT_RUNS: '50',
};
for (const url of literals) await fetch(url).catch(() => undefined);
const control = Object.fromEntries(hits);
hits.clear();
const folder = ['--data-dir', `${orders.folder}/data`];
const processes = await Promise.all([
  startProgram(orders, ['serve', '--json', '--no-worker', ...folder], settings),
  startProgram(orders, ['work', ...folder], settings),
  startNginx(orders.nginx, orders.folder),
]);
const tried: Tried[] = [];
const saved: string[] = [];
let sent = 0;
const honestId = await saveHonest();
for (const input of orders.inputs) {
  for (const url of [honest, ...literals, ...names, ...own]) await tryInput(input, url);
}
const runs = await runAll();
const proxied = {
  tooLarge: await asProject('POST', '/api/v1/projects', { name: 'x'.repeat(1_500_000) }),
  metrics: await statusOf('http://127.0.0.1:3300/metrics'),
  metricsThroughProxy: (await askProxy('GET', '/metrics')).status,
  listedHits: await reachListed(),
  isStreamed: await isStreamed(),
  signIn: await trySignIn(),
};
for (const one of processes) {
  one.kill('SIGTERM');
  await once(one, 'close');
}
const outcome = { control, tried, runs, proxied, hits: Object.fromEntries(hits) };
process.stdout.write(`${JSON.stringify(outcome)}\n`);
process.exit();

async function asProject(method: string, path: string, body?: unknown): Promise<ProxyAnswer> {
  return askProxy(method, path, { body, headers: { authorization: `Bearer ${orders.apiKey}` } });
}

async function send(
  { method, path, body }: Template,
  serverId: string,
  urls: { readonly target: string; readonly elsewhere: string },
): Promise<ProxyAnswer> {
  sent += 1;
  const values: Record<string, string> = { projectId: orders.projectId, serverId };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'missing');
  const text = body
    .replaceAll('{target}', urls.target)
    .replaceAll('{elsewhere}', urls.elsewhere)
    .replaceAll('{n}', String(sent));
  return asProject(method, `/api/v1${filled}`, JSON.parse(text));
}

async function saveHonest(): Promise<string> {
  const create = orders.inputs.find(({ operationId }) => operationId === 'createProjectServer');
  const urls = { target: honest, elsewhere: honest };
  return (await send(create as Template, '', urls)).body['id'] as string;
}

async function tryInput(input: UrlInput, url: string): Promise<void> {
  const what = `${input.operationId} ${input.field}`;
  const answer = await send(input, honestId, { target: url, elsewhere: honest });
  note(what, url, answer);
  const { id } = answer.body as { id?: string };
  if (id === undefined || url === honest) return;
  const isSaved = what === 'createProjectServer url';
  for (const next of orders.outbound) {
    if (!isSaved && next.operationId !== 'validateServer') continue;
    const follows = await send(next, id, { target: url, elsewhere: url });
    note(`${what}, ${next.operationId}`, url, follows);
  }
  if (isSaved) saved.push(id);
  if (id === honestId) await change({ url: honest, oauthResourceUrl: null });
}

function note(what: string, url: string, { status, body }: ProxyAnswer): void {
  const details = body['details'] as { reason?: string } | undefined;
  tried.push({ what, url, status, code: body['code'] as string, reason: details?.reason });
}

async function runAll(): Promise<unknown[]> {
  const base = `/api/v1/projects/${orders.projectId}/eval-runs`;
  const ends = saved.map(async (serverId, at) => {
    const steps = [{ id: 'ask', kind: 'prompt', prompt: 'What is the weather?' }];
    const tests = [{ title: 'Weather', steps, model: 'proofmark/lexical-1' }];
    const body = { suiteName: `Suite ${at}`, tests, serverIds: [serverId] };
    const { runId } = (await asProject('POST', base, body)).body;
    for (;;) {
      const { status, verdict } = (await asProject('GET', `${base}/${runId}`)).body;
      if (status !== 'running' && status !== 'pending') return { status, verdict };
      await sleep(200);
    }
  });
  return Promise.all(ends);
}

async function startListed(): Promise<{ hits: number }> {
  const counted = { hits: 0 };
  const server = createServer((_, response) => {
    counted.hits += 1;
    response.writeHead(404).end();
  });
  server.listen(ports.listed, '127.0.0.1');
  await once(server, 'listening');
  return counted;
}

async function reachListed(): Promise<number> {
  await change({ url: `http://127.0.0.1:${ports.listed}/mcp` });
  await asProject('POST', `${honestServer()}/validate`, {});
  return listed.hits;
}

function change(fields: object): Promise<ProxyAnswer> {
  return asProject('PATCH', honestServer(), fields);
}

function honestServer(): string {
  return `/api/v1/projects/${orders.projectId}/servers/${honestId}`;
}

async function isStreamed(): Promise<boolean> {
  let asked = 0;
  let isHeld = false;
  const server = createServer((_, response) => {
    asked += 1;
    if (asked === 1) response.writeHead(405).end();
    else isHeld = true;
  });
  server.listen(ports.held, addresses.attacker);
  await once(server, 'listening');
  await change({ url: `http://${addresses.attacker}:${ports.held}/mcp`, timeout: 3000 });
  server.on('connection', (socket) => socket.on('close', () => (isHeld = false)));
  let wasHeld: boolean | undefined;
  await askProxy('POST', `${honestServer()}/doctor`, {
    body: {},
    headers: { authorization: `Bearer ${orders.apiKey}`, accept: 'application/x-ndjson' },
    onPart: () => {
      wasHeld ??= isHeld || asked < 2;
    },
  });
  return wasHeld === true;
}

/**
 * Guesses passwords as one visitor who forges the client address of a second visitor, then signs in
 * as the second visitor. Returns both statuses.
 */
async function trySignIn(): Promise<{ guesser: number; other: number }> {
  const enter = async (email: string, from: string) =>
    (
      await askProxy('POST', '/console/v1/session', {
        body: { email, password: 'guess' },
        headers: {
          origin: 'https://proofmark.example',
          'x-forwarded-for': addresses.service,
          forwarded: `for=${addresses.service}`,
        },
        from,
      })
    ).status;
  for (let guess = 0; guess < 70; guess += 1) await enter('a@inward.example', addresses.attacker);
  return {
    guesser: await enter('b@inward.example', addresses.attacker),
    other: await enter('b@inward.example', addresses.service),
  };
}

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status;
}
