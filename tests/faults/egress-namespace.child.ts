/**
 * Runs in its own network namespace. It adds the canaries (servers that no attempt may reach) to
 * the loopback device, starts the real service on another address, makes every attempt, and prints
 * the results. No attempt can reach the machine's network.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { startAttacker, startCanaries, startNameServer } from './egress-attacker.ts';
import { addresses, names, pointers, spellings } from './egress-attempts.ts';
import { bridgeDatabase, type Orders, prepareNetwork, startProgram } from './inside-namespace.ts';

export interface Attempt {
  readonly what: string;
  readonly status: number;
  readonly code: string | undefined;
  readonly reason: string | undefined;
  /**
   * True if the answer contained a canary's address. The request did not contain it, so the service
   * must have resolved it with the name server.
   */
  readonly toldAddress: boolean;
}

const orders = JSON.parse(process.argv[2] ?? '') as Orders;
prepareNetwork(orders);
const hits = await startCanaries();
await startNameServer();
await startAttacker();
const databaseUrl = await bridgeDatabase(orders);
const control = await reachCanariesWithoutGuard();
hits.clear();
const base = `http://${addresses.service}:3300/api/v1/projects/${orders.projectId}/servers`;
const service = await startService();
const attempts = await tryEverything();
service.kill('SIGTERM');
await once(service, 'close');
process.stdout.write(`${JSON.stringify({ control, attempts, hits: Object.fromEntries(hits) })}\n`);
process.exit();

/**
 * Shows that the test would notice a breach: without the egress guard, each canary can be reached,
 * and an address check before the call does not prevent DNS rebinding.
 */
async function reachCanariesWithoutGuard(): Promise<Record<string, number>> {
  for (const address of addresses.canaries) {
    await fetch(`http://${address.includes(':') ? `[${address}]` : address}/`);
  }
  const rebinding = 'rebinding.attacker.test';
  const seen = await lookup(rebinding, { family: 4 });
  if (seen.address === addresses.attacker)
    await fetch(`http://${rebinding}/`).catch(() => undefined);
  return Object.fromEntries(hits);
}

function startService() {
  const flags = ['--json', '--port', '3300', '--host', addresses.service];
  return startProgram(orders, ['serve', ...flags, '--data-dir', `${orders.folder}/data`], {
    PROOFMARK_DATABASE_URL: databaseUrl,
    PROOFMARK_HOST_NAMES: addresses.service,
    PROOFMARK_WORKER: 'off',
  });
}

async function tryEverything(): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for (const spelling of spellings) {
    await save(attempts, `spelling ${spelling}`, `http://${spelling}/mcp`, ['validate']);
  }
  for (const name of Object.keys(names)) {
    const operations = name.startsWith('rebinding')
      ? Array<string>(12).fill('validate')
      : ['validate', 'doctor'];
    await save(attempts, `name ${name}`, `http://${name}/mcp`, operations);
  }
  for (const pointer of pointers) {
    for (const host of ['169.254.169.254', '10.0.0.1', '[fd00:ec2::254]', '127.0.0.1']) {
      for (const scheme of ['http', 'https']) {
        const target = encodeURIComponent(`${scheme}://${host}/inward`);
        const url = `http://honest.attacker.test/${pointer}/${target}`;
        const operations = ['validate', 'check-oauth', 'doctor', 'oauth/import-tokens', 'tools'];
        await save(attempts, `${pointer} ${scheme}://${host}`, url, operations);
      }
    }
  }
  return attempts;
}

async function save(attempts: Attempt[], what: string, url: string, operations: string[]) {
  const fields = {
    name: `S${attempts.length}`,
    enabled: true,
    transportType: 'http',
    timeout: 3000,
  };
  const saved = await post(base, { ...fields, url });
  attempts.push(attemptOf(`${what}: save`, saved));
  const { id } = saved.body as { id?: string };
  if (saved.status !== 201 || id === undefined) return;
  for (const operation of operations) {
    const tokens = {
      access_token: 'secret-access',
      refresh_token: 'secret-refresh',
      expires_in: 0,
    };
    const isImport = operation.startsWith('oauth');
    const body = isImport
      ? { serverUrl: url, clientInformation: { clientId: 'a-client' }, tokens }
      : {};
    const answer = await post(`${base}/${id}/${operation}`, body);
    attempts.push(attemptOf(`${what}: ${operation}`, answer));
  }
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function post(url: string, body: object): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${orders.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function attemptOf(what: string, { status, body }: Answer): Attempt {
  const details = body['details'] as { reason?: string } | undefined;
  const isName = what.startsWith('name ');
  const text = JSON.stringify(body);
  return {
    what,
    status,
    code: body['code'] as string | undefined,
    reason: details?.reason,
    toldAddress: isName && addresses.canaries.some((address) => text.includes(address)),
  };
}
