/**
 * An MCP server on loopback that requires a token from a test issuer. It records every credential
 * that it receives.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import type { OAuthIssuer } from './oauth-issuer.ts';

export interface OAuthServerOptions {
  readonly issuer: Pick<OAuthIssuer, 'url' | 'accepts'>;
  /**
   * How clients find the resource metadata. With `none` there is no document, as on older servers
   * that issue their own tokens.
   */
  readonly metadata?: 'named' | 'wellKnown' | 'none';
}

export interface OAuthServer {
  readonly url: string;
  readonly origin: string;
  /** The Authorization headers of all requests, in order; empty for a request without one. */
  readonly authorizations: readonly string[];
  /** Changes the issuer, the resource or the document's address in the metadata. */
  name(changed: { issuer?: string; resource?: string; metadataUrl?: string }): void;
  refuseEverything: boolean;
  stop(): Promise<void>;
}

export async function startOAuthServer(options: OAuthServerOptions): Promise<OAuthServer> {
  const { issuer, metadata = 'named' } = options;
  const handler = createMcpHandler(() => makeServer());
  const authorizations: string[] = [];
  const named = { issuer: issuer.url, resource: '', metadataUrl: '' };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0];
    if (path === metadataPath && metadata !== 'none') {
      sendJson(response, 200, { resource: named.resource, authorization_servers: [named.issuer] });
      return;
    }
    authorizations.push(request.headers.authorization ?? '');
    if (path !== '/mcp') {
      sendJson(response, 404, { error: 'not_found' });
      return;
    }
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
    if (made.refuseEverything || !issuer.accepts(token)) {
      const hint = metadata === 'named' ? ` resource_metadata="${named.metadataUrl}"` : '';
      response.setHeader('www-authenticate', `Bearer${hint}`);
      sendJson(response, 401, { error: 'invalid_token', error_description: `Refused: ${token}` });
      return;
    }
    pass(request, response, handler.fetch).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(named, { resource: `${origin}/mcp`, metadataUrl: `${origin}${metadataPath}` });
  const made: OAuthServer = {
    url: `${origin}/mcp`,
    origin,
    authorizations,
    refuseEverything: false,
    name: (changed) => void Object.assign(named, changed),
    async stop() {
      const closed = once(server, 'close');
      await handler.close();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return made;
}

const metadataPath = '/.well-known/oauth-protected-resource/mcp';

function makeServer(): Server {
  const server = new Server(
    { name: 'guarded-sample', version: '1.0.0' },
    { capabilities: { tools: {} } },
  );
  const tool = { name: 'hello', inputSchema: { type: 'object' as const } };
  server.setRequestHandler('tools/list', () => ({ tools: [tool] }));
  server.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text: 'Hello.' }] }));
  return server;
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  fetchFrom: (request: Request) => Promise<Response>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const answered = await fetchFrom(
    new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(body.length > 0 && { body }),
    }),
  );
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (answered.body === null) response.end();
  else
    Readable.fromWeb(answered.body as never)
      .on('error', () => response.destroy())
      .pipe(response);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
