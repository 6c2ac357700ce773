import {
  closeServers,
  errorOf,
  reasonOf,
  startServer,
} from '@proofmark/harness/hostile-servers.ts';
import { afterEach, describe, expect, it } from 'vitest';
import type { EgressPolicy } from './address-policy.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

const open: EgressPolicy = { allowLoopback: true, allowedPrivateHosts: [] };
const closed: EgressPolicy = { allowLoopback: false, allowedPrivateHosts: [] };

afterEach(closeServers);

describe('addresses', () => {
  const spellings = [
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127%2e0%2e0%2e1',
    '１２７.0.0.1',
    '127。0。0。1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    'localhost',
    'LOCALHOST.',
  ];

  it('no spelling of loopback reaches a server while loopback is closed', async () => {
    const server = await startServer((_, response) => response.end('canary'));
    for (const host of spellings) {
      const url = `http://${host}:${server.port}/`;
      expect([host, await reasonOf(createGuardedFetch(closed)(url))]).toEqual([
        host,
        'EGRESS_BLOCKED',
      ]);
    }
    expect(server.connections()).toBe(0);
    // Not every system resolves the last spelling, which ends with a dot. The other spellings must
    // work.
    for (const host of spellings.slice(0, -1)) {
      const response = await createGuardedFetch(open)(`http://${host}:${server.port}/`);
      expect([host, await response.text()]).toEqual([host, 'canary']);
    }
  });

  it('the unspecified address, which the system connects to loopback, is never reached', async () => {
    const server = await startServer((_, response) => response.end('canary'));
    for (const host of ['0.0.0.0', '0', '[::]', '[::ffff:0.0.0.0]']) {
      expect(await reasonOf(createGuardedFetch(open)(`http://${host}:${server.port}/`))).toBe(
        'EGRESS_BLOCKED',
      );
    }
    expect(server.connections()).toBe(0);
  });

  it('a name is judged by all of its answers', async () => {
    const server = await startServer((_, response) => response.end('canary'));
    const mixed = [
      ['127.0.0.1', '10.0.0.1'],
      ['10.0.0.1', '127.0.0.1'],
      ['127.0.0.1', '169.254.169.254'],
      ['127.0.0.1', '::ffff:10.0.0.1'],
      ['127.0.0.1', 'not an address'],
    ];
    for (const answers of mixed) {
      const guarded = createGuardedFetch({ ...open, lookup: async () => answers.map(answerOf) });
      expect(await reasonOf(guarded(`http://mixed.test:${server.port}/`))).toBe('EGRESS_BLOCKED');
    }
    expect(server.connections()).toBe(0);
  });

  it('a name that changes its mind between calls is blocked when it turns inward', async () => {
    const server = await startServer((_, response) => response.writeHead(200).end('canary'));
    const guarded = createGuardedFetch({ ...closed, lookup: async () => [answerOf('127.0.0.1')] });
    for (let call = 0; call < 20; call += 1) {
      expect(await reasonOf(guarded(`http://rebind.test:${server.port}/`))).toBe('EGRESS_BLOCKED');
    }
    expect(server.connections()).toBe(0);
  });

  it('the address that was checked is the one connected to: a name is asked once a connection', async () => {
    const server = await startServer((_, response) => response.end('checked'));
    let lookups = 0;
    const guarded = createGuardedFetch({
      ...open,
      lookup: async () => [answerOf(lookups++ === 0 ? '127.0.0.1' : '10.0.0.1')],
    });
    const response = await guarded(`http://rebind.test:${server.port}/`);
    expect(await response.text()).toBe('checked');
    expect(lookups).toBe(1);
  });

  it('a name without an answer and a closed port are unreachable, and the address is not told', async () => {
    const server = await startServer((_, response) => response.end());
    const { port } = server;
    await closeServers();
    const refused = await errorOf(
      createGuardedFetch({ ...open, lookup: async () => [answerOf('127.0.0.1')] })(
        `http://gone.test:${port}/?key=s3cret`,
      ),
    );
    expect(refused.reason).toBe('UNREACHABLE');
    expect(refused.message).toContain('ECONNREFUSED');
    expect(JSON.stringify([refused.message, refused.stack, refused.cause])).not.toMatch(
      /127\.0\.0\.1|s3cret/,
    );
    const empty = createGuardedFetch({ ...open, lookup: async () => [] });
    expect(await reasonOf(empty('http://empty.test/'))).toBe('UNREACHABLE');
  });

  it.each(['ftp://127.0.0.1/', 'file:///etc/hosts', 'data:,x', 'http://u:s3cret@127.0.0.1/', 'x'])(
    '%s is not called',
    async (url) => {
      const refused = await errorOf(createGuardedFetch(open)(url));
      expect(refused.reason).toBe('EGRESS_BLOCKED');
      expect(refused.message).not.toContain('s3cret');
    },
  );
});

function answerOf(address: string) {
  return { address, family: address.includes(':') ? 6 : 4 };
}
