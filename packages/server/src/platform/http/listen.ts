/**
 * The listening socket. It limits the headers and the time to send a request, and it stops only
 * after running requests have finished. Malformed HTTP also gets an answer in the normal error
 * shape.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isAnswered } from './end-after-rest.ts';
import { lateRequest, malformedRequest } from './malformed-request.ts';
import { securityHeaders } from './security-headers.ts';

/** Answers every request; never rejects. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Listening {
  readonly address: string;
  readonly port: number;
  stop(graceMs: number): Promise<void>;
}

/**
 * Milliseconds for the headers and for the whole request to arrive. The guide for operators states
 * the same figures.
 */
export const arrivalLimits = { headersMs: 10_000, requestMs: 30_000 } as const;

export async function listen(
  listener: Listener,
  at: { readonly host: string; readonly port: number },
  arrival: { readonly headersMs: number; readonly requestMs: number } = arrivalLimits,
): Promise<Listening> {
  const server = createServer(
    {
      maxHeaderSize: 16_384,
      headersTimeout: arrival.headersMs,
      requestTimeout: arrival.requestMs,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1000,
      // The request listener rejects requests without a host, with its own message.
      requireHostHeader: false,
    },
    (request, response) => {
      // While the server is stopping, this header makes clients open a new connection for their
      // next request.
      if (!server.listening) response.setHeader('connection', 'close');
      void listener(request, response);
    },
  );
  server.on('checkExpectation', (_request, response) => {
    response.writeHead(400, { ...constantHeaders, connection: 'close' });
    response.end(malformedRequest.body);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseSocket(
      socket,
      error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? lateRequest : malformedRequest,
    ),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: at.host, port: at.port }, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  return { address, port, stop: (graceMs) => stop(server, graceMs) };
}

const constantHeaders = { ...securityHeaders, 'content-type': 'application/json' };

function refuseSocket(socket: Socket, { body }: { readonly body: string }): void {
  if (!socket.writable || isAnswered(socket)) {
    socket.destroy();
    return;
  }
  const headers = { ...constantHeaders, 'content-length': body.length, connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(['HTTP/1.1 400 Bad Request', ...lines, '', body].join('\r\n'));
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    // Closes connections that became idle after `close`. They would otherwise stay open until their
    // clients close them.
    const idle = setInterval(() => server.closeIdleConnections(), 100);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(idle);
      resolve();
    });
  });
}
