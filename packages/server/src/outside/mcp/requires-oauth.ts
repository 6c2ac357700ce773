/**
 * Sends a handshake without credentials: a server that requires an OAuth grant answers with status
 * 401.
 */
import { CallBudget } from './call-budget.ts';
import { explainMcpError } from './explain-mcp-error.ts';
import { explainAbort } from './mcp-connection.ts';
import type { HttpAddress, McpTarget } from './mcp-target.ts';
import type { ConnectionMaker } from './open-connection.ts';
import { Secrets } from './secrets.ts';
import type { SessionPool } from './session-pool.ts';

export async function requiresOAuth(
  maker: ConnectionMaker,
  pool: SessionPool,
  target: McpTarget,
  signal?: AbortSignal,
): Promise<boolean> {
  const { address } = target;
  if (address.kind === 'stdio') return false;
  const { callMs, firstByteMs, maxCallBytes } = maker.limits;
  const waitMs = Math.min(target.timeoutMs ?? callMs, firstByteMs);
  const budget = new CallBudget(waitMs, maxCallBytes, signal);
  try {
    const release = await pool.takeSlot(target.organizationId, budget);
    return await asksForGrant(maker, address, budget).finally(release);
  } finally {
    budget.end();
  }
}

async function asksForGrant(
  maker: ConnectionMaker,
  address: HttpAddress,
  budget: CallBudget,
): Promise<boolean> {
  const secrets = new Secrets(address);
  try {
    const posted = await askWithoutCredentials(maker, address.url, budget, 'POST');
    if (posted === 401) return true;
    if (posted !== 404 && posted !== 405) return false;
    // The handshake of the older HTTP+SSE transport begins with a GET request.
    return (await askWithoutCredentials(maker, address.url, budget, 'GET')) === 401;
  } catch (error) {
    if (budget.signal.aborted) throw explainAbort(budget.signal.reason, secrets);
    throw explainMcpError(error, secrets);
  }
}

async function askWithoutCredentials(
  maker: ConnectionMaker,
  url: string,
  budget: CallBudget,
  method: 'POST' | 'GET',
): Promise<number> {
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const request = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: maker.client },
  };
  const response = await maker.guardedFetch(url, {
    method,
    headers,
    body: method === 'POST' ? JSON.stringify(request) : null,
    redirect: 'manual',
    signal: budget.signal,
  });
  response.body?.cancel().catch(() => undefined);
  await endSession(maker, url, response.headers.get('mcp-session-id'), budget);
  return response.status;
}

/** Ends the session that the handshake may have opened, since nobody will use it. */
async function endSession(
  maker: ConnectionMaker,
  url: string,
  sessionId: string | null,
  budget: CallBudget,
): Promise<void> {
  if (sessionId === null) return;
  const headers = { 'mcp-session-id': sessionId };
  const ended = maker.guardedFetch(url, { method: 'DELETE', headers, signal: budget.signal });
  await ended.then((response) => response.body?.cancel()).catch(() => undefined);
}
