/**
 * Sends one HTTP request to a server for the conformance suite, under the egress rules of every
 * connection. The saved headers and the access token are added here, so the suite never sees them.
 */
import { explainMcpError, ofStatus } from './explain-mcp-error.ts';
import { McpFailure } from './mcp-failure.ts';
import type { ForwardedRequest } from './mcp-gateway.ts';
import type { McpTarget } from './mcp-target.ts';
import type { ConnectionMaker } from './open-connection.ts';
import { Secrets } from './secrets.ts';
import { sendWithinOrigin } from './session-fetch.ts';

export async function forwardRequest(
  { guardedFetch }: Pick<ConnectionMaker, 'guardedFetch'>,
  { address, tokens }: McpTarget,
  { headers, host, ...request }: ForwardedRequest,
): Promise<Response> {
  if (address.kind === 'stdio') {
    throw new McpFailure('FEATURE_NOT_SUPPORTED', 'This server has no address.');
  }
  const sent = new Headers(headers);
  for (const [name, value] of Object.entries(address.headers)) {
    if (!sent.has(name)) sent.set(name, value);
  }
  const url = new URL(address.url);
  const send = async (token: string | undefined) => {
    if (token !== undefined) sent.set('authorization', `Bearer ${token}`);
    const fetchWithHost: typeof fetch = (input, init) =>
      guardedFetch(input as string, { ...init, host: isOnThisMachine(url) ? host : undefined });
    try {
      return await sendWithinOrigin(fetchWithHost, { url, init: { ...request, headers: sent } });
    } catch (error) {
      request.signal.throwIfAborted();
      throw explainMcpError(error, new Secrets(address));
    }
  };
  // An error of the tokens is our own, unless it is an McpFailure already.
  const token = await tokens?.current();
  if (tokens !== undefined && token === undefined) throw ofStatus(401);
  const response = await send(token);
  if (response.status !== 401 || token === undefined) return response;
  const renewed = await tokens?.after(token);
  if (renewed === undefined) return response;
  response.body?.cancel().catch(() => undefined);
  return send(renewed);
}

function isOnThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
