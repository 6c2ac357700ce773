/**
 * The listening socket: bounded headers, bounded time to send a request, and a stop that lets
 * running requests finish. What is no HTTP gets the error shape too.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { malformedRequest } from './malformed-request.ts';
import { securityHeaders } from './security-headers.ts';

/** Answers a request, whatever happens; it never rejects. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Listening {
  readonly address: string;
  readonly port: number;
  stop(graceMs: number): Promise<void>;
}

export async function listen(
  listener: Listener,
  at: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const server = createServer(
    {
      maxHeaderSize: 16_384,
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1000,
      // A request without a host is refused by the request listener, in its own words.
      requireHostHeader: false,
    },
    (request, response) => {
      // Said while stopping, so that clients take their next request elsewhere.
      if (!server.listening) response.setHeader('connection', 'close');
      void listener(request, response);
    },
  );
  server.on('checkExpectation', (_request, response) => {
    response.writeHead(400, { ...constantHeaders, connection: 'close' });
    response.end(badRequest);
  });
  server.on('clientError', (_error, socket: Socket) => refuseSocket(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: at.host, port: at.port }, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  return { address, port, stop: (graceMs) => stop(server, graceMs) };
}

const badRequest = malformedRequest.body;
const constantHeaders = { ...securityHeaders, 'content-type': 'application/json' };

function refuseSocket(socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const headers = { ...constantHeaders, 'content-length': badRequest.length, connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(['HTTP/1.1 400 Bad Request', ...lines, '', badRequest].join('\r\n'));
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    // A connection whose last request is answered only now would else stay open for its client's sake.
    const idle = setInterval(() => server.closeIdleConnections(), 100);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(idle);
      resolve();
    });
  });
}
