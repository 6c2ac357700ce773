/**
 * Whether this process can reach anything at all, asked when a server seems to be away: otherwise our own failure would
 * be told as the server's. It is asked by a request to a small listener of this process, made in the way in which servers
 * are called, so it needs neither a public name nor a way back through a proxy. A process that may call servers
 * elsewhere also needs an address that is not of this machine alone. That the networks beyond work it cannot know.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { EgressPolicy } from '../egress/address-policy.ts';
import { createGuardedFetch } from '../egress/guarded-fetch.ts';

export interface OwnWayOut {
  works(): Promise<boolean>;
  close(): Promise<void>;
}

/** What is said at the start of a worker, since nobody can know it later. */
export const unknownBeyond =
  'A server that stays silent is told as failing when this process can open connections; whether the networks between it and the server work cannot be known here.';

const longestAnswerMs = 5000;

export async function openOwnWayOut(
  egress: EgressPolicy,
  interfaces: typeof networkInterfaces = networkInterfaces,
): Promise<OwnWayOut> {
  const server = createServer((_, response) => void response.end('{"status":"alive"}'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  // This one address of our own is allowed here, also where servers on this machine are not.
  const wayOut = createGuardedFetch({ ...egress, allowLoopback: true });
  return {
    async works() {
      if (!egress.allowLoopback && !hasAddressBeyond(interfaces())) return false;
      const signal = AbortSignal.timeout(longestAnswerMs);
      const url = `http://127.0.0.1:${port}/healthz`;
      const answer = await wayOut(url, { signal }).catch(() => undefined);
      await answer?.body?.cancel();
      return answer?.ok === true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function hasAddressBeyond(interfaces: ReturnType<typeof networkInterfaces>): boolean {
  return Object.values(interfaces).some((addresses) =>
    addresses?.some(({ internal }) => !internal),
  );
}
