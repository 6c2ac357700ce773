import { networkInterfaces } from 'node:os';
import { closeServers, reasonOf, startServer } from '@proofmark/harness/hostile-servers.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { checkUrl, type EgressPolicy } from './address-policy.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { leadsToOwnPort } from './own-ports.ts';

afterEach(closeServers);

const everything = ['127.0.0.0/8', '::1', 'localhost', '0.0.0.0/0', '::/0'];
const answerOf = (address: string) => ({ address, family: address.includes(':') ? 6 : 4 });
const here = Object.values(networkInterfaces()).flatMap((all) => all ?? []);

function open(host: string, port: number, more: Partial<EgressPolicy> = {}): EgressPolicy {
  const allowed = { allowLoopback: true, allowedPrivateHosts: everything };
  return { ...allowed, ownPorts: [{ host, port }], ...more };
}

describe('an own port', () => {
  const spellings = [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '127。0。0。1', '127.9.9.9'],
    ...['[::ffff:127.0.0.1]', '[::1]', 'localhost', 'LOCALHOST.', 'a.localhost', '0', '[::]'],
  ];

  it.each(['127.0.0.1', 'localhost', '0.0.0.0', '::', '/var/run/postgresql', ''])(
    'bound to %j is not called in any spelling, though all is allowed and other ports are',
    async (host) => {
      const [own, other] = [
        await startServer((_, response) => response.end('own')),
        await startServer((_, response) => response.end('other')),
      ];
      const policy = open(host, own.port);
      const guarded = createGuardedFetch(policy);
      for (const spelling of spellings) {
        const url = `http://${spelling}:${own.port}/`;
        expect([url, await reasonOf(guarded(url))]).toEqual([url, 'EGRESS_BLOCKED']);
        expect(checkUrl(url, policy).refusal, url).toBe('EGRESS_BLOCKED');
      }
      expect(own.connections()).toBe(0);
      expect(await (await guarded(`http://127.0.0.1:${other.port}/`)).text()).toBe('other');
    },
  );

  it('is not called by a name that leads there', async () => {
    const own = await startServer((_, response) => response.end('own'));
    const lookup = async () => [answerOf('127.0.0.1')];
    const guarded = createGuardedFetch(open('127.0.0.1', own.port, { lookup }));
    expect(await reasonOf(guarded(`http://inward.test:${own.port}/`))).toBe('EGRESS_BLOCKED');
    expect(own.connections()).toBe(0);
  });

  it('known only after the policy was made is closed from then on', async () => {
    const own = await startServer((_, response) => response.end('own'));
    const ownPorts: { host: string; port: number }[] = [];
    const guarded = createGuardedFetch(open('', 0, { ownPorts }));
    expect(await (await guarded(`http://127.0.0.1:${own.port}/`)).text()).toBe('own');
    ownPorts.push({ host: '127.0.0.1', port: own.port });
    expect(await reasonOf(guarded(`http://127.0.0.2:${own.port}/`))).toBe('EGRESS_BLOCKED');
  });
});

describe('where it is', () => {
  const lookup = async (name: string) => {
    if (name !== 'db.internal') throw new Error('There is no such name.');
    return [answerOf('10.7.0.9'), answerOf('fd12::9')];
  };
  const leads = (own: string, address: string, port = 5432) =>
    leadsToOwnPort(address, port, [{ host: own, port: 5432 }], lookup);

  it.each([
    ['db.internal', '10.7.0.9', true],
    ['db.internal', '::ffff:10.7.0.9', true],
    ['db.internal', '64:ff9b::10.7.0.9', true],
    ['db.internal', 'fd12:0::9', true],
    ['db.internal', '10.7.0.8', false],
    ['10.7.0.9', '10.7.0.9', true],
    ['10.7.0.9', '127.0.0.1', false],
    ['a name without an answer', '10.7.0.8', true],
  ])('%s, asked at %s: %s', async (own, address, isOwn) => {
    expect(await leads(own, address)).toBe(isOwn);
    expect(await leads(own, address, 5433)).toBe(false);
  });

  it('one address of this machine stands for all of them', async () => {
    for (const { address } of here) {
      expect([address, await leads('127.0.0.1', address)]).toEqual([address, true]);
      expect([address, await leads(address, '127.0.0.1')]).toEqual([address, true]);
    }
  });
});
