/**
 * Listens for the sample server on loopback, on its previous port if that is free. Requests with
 * another Host header or from a page of another origin are rejected, which prevents DNS rebinding.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { type Listening, listen } from '../../platform/http/listen.ts';
import { createSampleServer } from './sample-server.ts';

export interface SampleListener {
  readonly url: string;
  stop(): Promise<void>;
}

export async function listenForSample(wantedPort = 0): Promise<SampleListener> {
  const handler = createMcpHandler(createSampleServer, { legacy: 'stateless' });
  const listening = await listenNear(wantedPort, (request, response) =>
    answer(request, response, handler.fetch),
  );
  return {
    url: `http://${loopback}:${listening.port}${path}`,
    async stop() {
      await handler.close();
      await listening.stop(graceMs);
    },
  };
}

/**
 * Returns the port in an address that an earlier start of this listener used. Returns undefined for
 * any other address.
 */
export function samplePortOf(url: string | undefined): number | undefined {
  const port = new RegExp(`^http://127\\.0\\.0\\.1:(\\d{1,5})${path}$`).exec(url ?? '')?.[1];
  return port === undefined ? undefined : Number(port);
}

const loopback = '127.0.0.1';
const path = '/mcp';
const graceMs = 1000;
const maxBodyBytes = 1_000_000;

async function listenNear(
  port: number,
  listener: Parameters<typeof listen>[0],
): Promise<Listening> {
  try {
    return await listen(listener, { host: loopback, port });
  } catch (error) {
    if (port === 0) throw error;
    return listen(listener, { host: loopback, port: 0 });
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  fetchFrom: (request: Request) => Promise<Response>,
): Promise<void> {
  try {
    const { host, origin } = request.headers;
    if (!isLoopback(`http://${host}`) || (origin !== undefined && !isLoopback(origin))) {
      response.writeHead(403).end();
      return;
    }
    const body = await readBody(request);
    if (body === undefined) {
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    const answered = await fetchFrom(
      new Request(new URL(request.url ?? '/', `http://${host}`), {
        method: request.method ?? 'GET',
        headers: headers as [string, string][],
        signal: gone.signal,
        ...(body.length > 0 && { body }),
      }),
    );
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    if (answered.body === null) response.end();
    else pass(answered.body, response);
  } catch {
    if (!response.headersSent) response.writeHead(400);
    response.end();
  }
}

function pass(body: ReadableStream<Uint8Array>, response: ServerResponse): void {
  const sent = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  sent.on('error', () => response.destroy());
  sent.pipe(response);
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && [loopback, 'localhost'].includes(new URL(origin).hostname);
}

async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
