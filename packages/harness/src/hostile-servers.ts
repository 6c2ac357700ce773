import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { EgressRefused } from '../../server/src/outside/egress/egress-refused.ts';

export async function closeServers(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

const closers: (() => Promise<void>)[] = [];

export async function startServer(
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer(handler);
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    /** If a connection stays open, the timeout of the test ends this wait. */
    allClosed: async () => {
      // A connection that the client reset counts as closed, so errors are ignored.
      for (const socket of sockets) {
        if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
      }
    },
  };
}

export async function startRawServer(bytes: string): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes, 'latin1'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export async function errorOf(call: Promise<unknown>): Promise<EgressRefused> {
  const outcome = await call.then(
    () => new Error('The call succeeded, but a refusal was expected.'),
    (error: unknown) => error,
  );
  if (outcome instanceof EgressRefused) return outcome;
  throw outcome;
}

export async function reasonOf(call: Promise<unknown>): Promise<string> {
  return (await errorOf(call)).reason;
}
