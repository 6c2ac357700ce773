/**
 * Checks whether this process can open connections at all, so that its own fault is not reported as
 * a server's. It sends a request to a listener in this process with the same code as requests to
 * servers. A process that may call external servers also needs a non-loopback network address.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type EgressPolicy, isLoopbackAllowed } from '../outside/egress/address-policy.ts';
import { createGuardedFetch } from '../outside/egress/guarded-fetch.ts';

export interface OwnConnectionCheck {
  works(): Promise<boolean>;
  close(): Promise<void>;
}

/** Explains what the check cannot detect. Printed once when a worker starts. */
export const egressCheckLimit =
  'If a server does not answer although this process can open other connections, the server is reported as failing; a fault of the network between this process and that server cannot be told apart from it.';

const longestAnswerMs = 5000;

export async function openEgressCheck(
  egress: EgressPolicy,
  interfaces: typeof networkInterfaces = networkInterfaces,
): Promise<OwnConnectionCheck> {
  const server = createServer((_, response) => void response.end('{"status":"alive"}'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  // The listener of the check is on loopback, so this fetch allows loopback, even if servers there
  // are not allowed.
  const guardedFetch = createGuardedFetch({ ...egress, allowLoopback: true });
  return {
    async works() {
      if (!isLoopbackAllowed(egress) && !hasAddressBeyond(interfaces())) return false;
      const signal = AbortSignal.timeout(longestAnswerMs);
      const url = `http://127.0.0.1:${port}/healthz`;
      const answer = await guardedFetch(url, { signal }).catch(() => undefined);
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
