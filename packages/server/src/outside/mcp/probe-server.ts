/**
 * Sends a ping as a plain HTTP request to the URL of a server, without the protocol library and
 * without a session, and describes the answer.
 */
import { type DoctorTrouble, maskUrl } from '@proofmark/domain';
import { CallBudget } from './call-budget.ts';
import { explainMcpError } from './explain-mcp-error.ts';
import type { McpFailure } from './mcp-failure.ts';
import type { HttpAddress, McpTarget } from './mcp-target.ts';
import type { ConnectionMaker } from './open-connection.ts';
import { Secrets } from './secrets.ts';

export interface Probe {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly detail: string;
  readonly tried: string;
  /** What is wrong with the answer. Absent if nothing is. */
  readonly trouble?: DoctorTrouble;
  readonly isError: boolean;
}

export async function probeServer(
  maker: ConnectionMaker,
  target: McpTarget,
  address: HttpAddress,
  signal: AbortSignal,
): Promise<Probe> {
  const url = new URL(address.url);
  const shownUrl = shown(url);
  const tried = `POST ${shownUrl} (ping)`;
  const secrets = new Secrets(address);
  const { firstByteMs, callMs, maxMessageBytes } = maker.limits;
  const timeoutMs = Math.min(firstByteMs, target.timeoutMs ?? callMs);
  const budget = new CallBudget(timeoutMs, maxMessageBytes, signal);
  try {
    const response = await maker.guardedFetch(address.url, {
      method: 'POST',
      headers: await headersFor(target, address, secrets),
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' }),
      redirect: 'manual',
      signal: budget.signal,
    });
    response.body?.cancel().catch(() => undefined);
    return { tried, ...describe(response, url, secrets) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const reason = budget.signal.aborted ? budget.signal.reason : error;
    const failure = explainMcpError(reason, secrets);
    return {
      tried,
      facts: { url: shownUrl, reached: false },
      detail: failure.message,
      trouble: troubleOf(failure),
      isError: true,
    };
  } finally {
    budget.end();
  }
}

export function troubleOf(failure: McpFailure): DoctorTrouble {
  const { reason, status, systemCode } = failure.details;
  return {
    code: failure.code,
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof systemCode === 'string' ? { systemCode } : {}),
    isRedirected: reason === 'EGRESS_BLOCKED' && failure.message.includes('redirected'),
  };
}

function describe(response: Response, url: URL, secrets: Secrets): Omit<Probe, 'tried'> {
  const { status } = response;
  const contentType = secrets.quote(response.headers.get('content-type') ?? '');
  const location = response.headers.get('location');
  const next =
    location !== null && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  const facts = {
    url: shown(url),
    reached: true,
    secure: url.protocol === 'https:',
    status,
    contentType: contentType === '' ? null : contentType,
    ...(next === undefined ? {} : { location: secrets.quote(shown(next)) }),
  };
  const shownType = contentType === '' ? 'no content type' : contentType;
  const isHtml = contentType.toLowerCase().startsWith('text/html');
  const isRedirected = next !== undefined && next.origin !== url.origin;
  const trouble = { code: codeOfStatus(status), status, isHtml, isRedirected };
  const isConcern = isHtml || isRedirected || [401, 403, 404].includes(status) || status >= 500;
  return {
    facts,
    detail: `Answered with HTTP ${status} and ${shownType}.`,
    ...(isConcern ? { trouble } : {}),
    isError: status >= 500,
  };
}

function shown({ origin, pathname }: URL): string {
  return maskUrl(`${origin}${pathname}`);
}

function codeOfStatus(status: number): string {
  if (status === 401) return 'OAUTH_REQUIRED';
  return status === 403 ? 'FORBIDDEN' : 'SERVER_UNREACHABLE';
}

async function headersFor(
  target: McpTarget,
  address: HttpAddress,
  secrets: Secrets,
): Promise<Record<string, string>> {
  const token = await target.tokens?.current();
  if (token !== undefined) secrets.add(token);
  const own = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const saved = Object.entries(address.headers).filter(([name]) => !(name.toLowerCase() in own));
  return { ...Object.fromEntries(saved), ...own };
}
