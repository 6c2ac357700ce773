import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createNameLookup, type EgressLookup } from './name-lookup.ts';

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

/**
 * The tests run in parallel, because each waits for timeouts. No two of them use the same kind of
 * names, because lookups of one kind wait for each other.
 */
const noHosts = { hostsFile: '/nowhere/hosts' };

test.concurrent('names whose name server never answers stop nobody else, and end as names that have no address now', async () => {
  const nameServers = [await startNameServer({ 'alive.test': '192.0.2.7' })];
  const lookup = createNameLookup({ ...noHosts, nameServers, system: never });
  let settled = 0;
  const dead = Array.from({ length: 12 }, (_, index) =>
    codeOf(lookup(`silent-${index}.test`)).finally(() => {
      settled += 1;
    }),
  );
  expect(await lookup('Alive.test.')).toEqual([{ address: '192.0.2.7', family: 4 }]);
  expect(settled).toBe(0);
  expect(new Set(await Promise.all(dead))).toEqual(new Set(['EAI_AGAIN']));
}, 20_000);

test.concurrent('a name that no name server knows is asked of the system, one at a time', async ({
  expect,
}) => {
  const nameServers = [await startNameServer({})];
  const { system, asked, answer } = heldSystem();
  const lookup = createNameLookup({ ...noHosts, nameServers, system });
  const lookups = ['one', 'two', 'three'].map((name) => lookup(`${name}.unknown.test`));
  await expect.poll(() => asked.length).toBe(1);
  expect(asked).toHaveLength(1);
  answer();
  await expect.poll(() => asked.length).toBe(2);
  answer();
  await expect.poll(() => asked.length).toBe(3);
  answer();
  for (const found of await Promise.all(lookups)) expect(found).toHaveLength(1);
});

test.concurrent('names of the local network are asked of the system, two at a time, and do not wait for ever', async () => {
  const { system, asked, answer } = heldSystem();
  const lookup = createNameLookup({ ...noHosts, system });
  const lookups = ['alpha', 'beta', 'c.localhost'].map((name) => codeOf(lookup(name)));
  expect(await lookups[2]).toBe('EAI_AGAIN');
  expect(asked).toEqual(['alpha', 'beta']);
  answer();
  answer();
  expect(await Promise.all(lookups.slice(0, 2))).toEqual(['found', 'found']);
}, 20_000);

test.concurrent('the hosts file comes first, with all its addresses, and is read again when it changes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-hosts-'));
  closers.push(() => rmSync(folder, { recursive: true }));
  const hostsFile = join(folder, 'hosts');
  writeFileSync(
    hostsFile,
    '# x\n10.0.0.1 a.test Box.Test # box.test\n::1\tbox.test\nbad box.test\n',
  );
  const lookup = createNameLookup({ hostsFile, system: never });
  const addresses = async () => (await lookup('box.test')).map(({ address }) => address);
  expect(await addresses()).toEqual(['10.0.0.1', '::1']);
  writeFileSync(hostsFile, '10.0.0.22 box.test\n');
  expect(await addresses()).toEqual(['10.0.0.22']);
});

const never: EgressLookup = () => Promise.reject(new Error('The system must not be asked.'));

function heldSystem() {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  const system: EgressLookup = (name) => {
    asked.push(name);
    return new Promise((resolve) => {
      held.push(() => resolve([{ address: '10.0.0.1', family: 4 }]));
    });
  };
  return { system, asked, answer: () => held.shift()?.() };
}

async function codeOf(looked: ReturnType<EgressLookup>): Promise<unknown> {
  return looked.then(
    () => 'found',
    (error: NodeJS.ErrnoException) => error.code ?? error,
  );
}

/**
 * Starts a name server that answers the given names, ignores those that begin with `silent`, and
 * reports all others as unknown.
 */
async function startNameServer(names: Readonly<Record<string, string>>): Promise<string> {
  const server = createSocket('udp4');
  server.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    if (name.startsWith('silent')) return;
    const address = names[name];
    const isFound = address !== undefined && query.readUInt16BE(at + 1) === 1;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(address === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(isFound ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4]);
    const found = isFound ? [record, Buffer.from(address.split('.').map(Number))] : [];
    const answer = Buffer.concat([header, query.subarray(12, at + 5), ...found]);
    server.send(answer, from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    const closed = once(server, 'close');
    server.close();
    await closed;
  });
  return `127.0.0.1:${server.address().port}`;
}
