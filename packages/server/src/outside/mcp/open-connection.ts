/**
 * Opens a connection. It tries Streamable HTTP with a negotiated version first. If the server does
 * not support that (400, 404 or 405), it uses the older HTTP+SSE transport. If the address names a
 * program, it starts a child process instead. The target may state the only version to use. Only
 * capabilities that somebody here handles are declared.
 */
import {
  Client,
  type JSONRPCMessage,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import {
  answerableCapabilities,
  isModernRevision,
  type Json,
  legacyCapabilities,
  type SeenAnswer,
} from '@proofmark/domain';
import type { GuardedFetch } from '../egress/guarded-fetch.ts';
import { RequestAnswers } from './answer-requests.ts';
import type { CallBudget } from './call-budget.ts';
import { type ConnectionHints, mayHaveChanged } from './connection-hints.ts';
import { discovering, mayLeadBack, refusalOfDiscovery } from './discovery.ts';
import { connectionClosed, explainMcpError, tooLarge } from './explain-mcp-error.ts';
import { initInfoOf } from './init-info.ts';
import { explainAbort, McpConnection } from './mcp-connection.ts';
import { afterAnswer, McpFailure } from './mcp-failure.ts';
import type { ServerInitInfo } from './mcp-gateway.ts';
import { limitsFor, type McpLimits } from './mcp-limits.ts';
import type { HttpAddress, McpTarget, StdioAddress } from './mcp-target.ts';
import { explainPinned, versionOptions } from './protocol-pin.ts';
import { RecordedExchange, type RpcError } from './recorded-exchange.ts';
import { Secrets } from './secrets.ts';
import type { OnServerEvent } from './server-events.ts';
import type { OnServerRequest } from './server-requests.ts';
import { createSessionFetch } from './session-fetch.ts';
import { StdioTransport } from './stdio-transport.ts';
import { subscribeToTools } from './subscribe-to-tools.ts';
import { WatchedTransport } from './watched-transport.ts';

export interface ConnectionMaker {
  readonly guardedFetch: GuardedFetch;
  readonly limits: McpLimits;
  readonly client: { readonly name: string; readonly version: string };
  readonly onServerRequest?: OnServerRequest;
  readonly onServerEvent?: OnServerEvent;
  /**
   * Whether a listener for events also makes the client ask for progress and log messages (default:
   * true).
   */
  readonly asksForEvents?: boolean;
  /** Whether the client declares elicitation by URL (default: false). */
  readonly answersUrls?: boolean;
  /** Called with the answer that opened a connection, as the server sent it. */
  readonly onOpened?: (opening: SeenAnswer) => void;
  /** Called with the JSON-RPC error with which the server refused to open a connection. */
  readonly onRefused?: (error: RpcError) => void;
  /** The only transport to try over HTTP (default: Streamable HTTP, then SSE). */
  readonly onlyTransport?: 'streamable-http' | 'sse' | undefined;
  /** The transport and handshake that earlier connections to this server found. */
  readonly hints?: ConnectionHints;
  /** Returns a child process of the server that was started in advance, if there is one. */
  takeChild?(): StdioTransport | undefined;
}

export async function openConnection(
  given: ConnectionMaker,
  target: McpTarget,
  budget: CallBudget,
): Promise<McpConnection> {
  const maker = { ...given, limits: limitsFor(given.limits, target) };
  const { hints, ...withoutHints } = maker;
  const connection = await openByTransport(maker, target, budget).catch((error: unknown) => {
    if (!mayHaveChanged(hints, error)) throw error;
    return openByTransport(withoutHints, target, budget);
  });
  if (hints !== undefined) updateHints(hints, connection);
  return connection;
}

function updateHints(hints: ConnectionHints, { initInfo }: McpConnection): void {
  if (initInfo.transport !== 'stdio') hints.transport = initInfo.transport;
  const isOlder = !isModernRevision(initInfo.protocolVersion);
  // Without a JSON-RPC error the server may only have failed once, so the next connection asks again.
  if (!(isOlder && hints.wasLedBack === true)) hints.isOlder = isOlder;
  delete hints.wasLedBack;
}

function isRpcError(error: unknown): boolean {
  return error instanceof McpFailure && error.details['mcpErrorCode'] !== undefined;
}

async function openByTransport(
  maker: ConnectionMaker,
  target: McpTarget,
  budget: CallBudget,
): Promise<McpConnection> {
  const { address } = target;
  if (address.kind === 'stdio') return openStdio(maker, target, address, budget);
  const { onlyTransport } = maker;
  const isOlder = (onlyTransport ?? maker.hints?.transport) === 'sse';
  if (isOlder) return openHttp(maker, target, address, 'sse', budget);
  try {
    return await openHttp(maker, target, address, 'streamable-http', budget);
  } catch (error) {
    if (onlyTransport !== undefined || !mayBeOlder(error)) throw error;
    return openHttp(maker, target, address, 'sse', budget).catch((older: unknown) => {
      throw isTelling(older) ? older : error;
    });
  }
}

async function openHttp(
  maker: ConnectionMaker,
  target: McpTarget,
  address: HttpAddress,
  kind: 'streamable-http' | 'sse',
  budget: CallBudget,
  mode: 'auto' | 'legacy' = 'auto',
): Promise<McpConnection> {
  const secrets = new Secrets(address);
  const counter = new StreamCounter(maker.limits);
  // `watched` is declared first, because the fetch and the transport refer to each other.
  let watched: WatchedTransport | undefined;
  const fetchOfSession = createSessionFetch({
    guardedFetch: maker.guardedFetch,
    address,
    tokens: target.tokens,
    secrets,
    limits: maker.limits,
    transport: kind,
    exchangeOf: (key) => watched?.exchangeOf(key),
    onStreamBytes(bytes) {
      counter.count(bytes);
    },
    onStreamEnd(error) {
      if (kind === 'sse' || error instanceof McpFailure) watched?.lose(error ?? connectionClosed());
      // The transport is closed here, because the library would otherwise request the stream again
      // as often as the server tells it to.
      if (kind === 'sse') watched?.close().catch(() => undefined);
    },
    onOwnError(error, exchange) {
      (exchange ?? watched?.fallback)?.budget.fail(error);
    },
  });
  const url = new URL(address.url);
  const common = { fetch: fetchOfSession, redirectPolicy: 'follow' as const };
  const streamable =
    kind === 'sse'
      ? undefined
      : new StreamableHTTPClientTransport(url, {
          ...common,
          reconnectionScheduler: (reconnect, delayMs) => counter.reconnect(reconnect, delayMs),
          onInsufficientScope: 'throw',
        });
  const inner: Transport = streamable ?? new SSEClientTransport(url, common);
  watched = new WatchedTransport(inner, maker.limits);
  watched.onbegin = () => counter.reset();
  const transport = { watched, kind, secrets, budget, mode };
  try {
    return await handshake(maker, target, transport, async () => {
      if (streamable?.sessionId === undefined) return;
      const inTime = new Promise<void>((resolve) => setTimeout(resolve, goodbyeMs).unref());
      await Promise.race([streamable.terminateSession(), inTime]);
    });
  } catch (error) {
    // A server of the older era may answer a request that it does not know in any way.
    const isPinned = target.protocolVersion !== undefined || mode === 'legacy';
    if (isPinned || watched.lastMethod !== discovering || !mayLeadBack(error)) throw error;
    // A server that spoke a modern revision before has failed; it is not of the older era.
    if (maker.hints?.isOlder === false) throw error;
    if (maker.hints !== undefined) maker.hints.wasLedBack = !isRpcError(error);
    return openHttp(maker, target, address, kind, budget, 'legacy');
  }
}

async function openStdio(
  maker: ConnectionMaker,
  target: McpTarget,
  address: StdioAddress,
  budget: CallBudget,
  mode: 'auto' | 'legacy' = 'auto',
): Promise<McpConnection> {
  const secrets = new Secrets(address);
  const counter = new StreamCounter(maker.limits);
  const { onServerEvent } = maker;
  const child = maker.takeChild?.() ?? new StdioTransport(address, maker.limits);
  child.quote = (line) => secrets.quote(line);
  child.onerrorline = (errorLine) => onServerEvent?.({ errorLine });
  child.onnoise = (noise) => onServerEvent?.({ noise });
  const watched = new WatchedTransport(child, maker.limits);
  watched.onbegin = () => counter.reset();
  child.onbytes = (bytes) => counter.count(bytes);
  child.onbreach = (reason) => watched.lose(reason);
  try {
    return await handshake(maker, target, { watched, kind: 'stdio', secrets, budget, mode }, () =>
      Promise.resolve(),
    );
  } catch (error) {
    // Some older servers end their process on any request that comes before the handshake they
    // know. The handshake is therefore tried in a new process without such a request.
    const hasEnded = error instanceof McpFailure && error.details['reason'] === 'CONNECTION_CLOSED';
    const isKnown = target.protocolVersion !== undefined || maker.hints?.isOlder === true;
    const mayTryLegacy = mode === 'auto' && !isKnown;
    if (!mayTryLegacy || !hasEnded) throw error;
    return openStdio(maker, target, address, budget, 'legacy');
  }
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the steps of one handshake, whose hooks are set before it and undone after it.
async function handshake(
  maker: ConnectionMaker,
  target: McpTarget,
  transport: {
    readonly watched: WatchedTransport;
    readonly kind: ServerInitInfo['transport'];
    readonly secrets: Secrets;
    readonly budget: CallBudget;
    readonly mode?: 'auto' | 'legacy';
  },
  terminate: () => Promise<void>,
): Promise<McpConnection> {
  const { watched, kind, secrets, budget } = transport;
  const { onServerRequest, onServerEvent } = maker;
  if (onServerEvent !== undefined) {
    watched.onnotification = (method, params) => onServerEvent({ method, params });
  }
  const capabilities = answerableCapabilities(target.clientCapabilities, {
    isAnswered: onServerRequest !== undefined,
    answersUrls: maker.answersUrls === true,
  });
  watched.rewrite = withLegacyCapabilities;
  watched.ondiscovererror = (error) => refusalOfDiscovery(error, capabilities, secrets);
  const answers = new RequestAnswers(capabilities, onServerRequest);
  if (onServerEvent !== undefined) {
    answers.onlacked = (refusedMethod, ability) => onServerEvent({ refusedMethod, ability });
  }
  const { protocolVersion } = target;
  const mode = maker.hints?.isOlder === true ? 'legacy' : (transport.mode ?? 'auto');
  const client = new Client(maker.client, {
    capabilities,
    ...(protocolVersion === undefined
      ? { versionNegotiation: negotiationOver(kind, mode) }
      : versionOptions(protocolVersion)),
    jsonSchemaValidator: acceptEverything,
    inputRequired: { autoFulfill: false },
  });
  answers.listenTo(client);
  const exchange = new RecordedExchange(budget);
  watched.begin(exchange);
  watched.fallback = exchange;
  let lost: unknown;
  watched.onlost = (reason) => {
    lost ??= reason;
  };
  try {
    const timeout = Math.min(budget.remainingMs(), maker.limits.firstByteMs) + slackMs;
    const connected = client.connect(watched, { timeout, signal: budget.signal });
    connected.catch(() => undefined);
    await Promise.race([connected, exchange.failed, budget.broken]);
    const initInfo = initInfoOf(client, kind, exchange.results, capabilities);
    reportOpening(maker, exchange);
    const connection = new McpConnection({
      client,
      transport: watched,
      initInfo,
      secrets,
      answers,
      terminate,
      hearsEvents: onServerEvent !== undefined && maker.asksForEvents !== false,
    });
    if (lost !== undefined) throw lost;
    if (onServerEvent !== undefined)
      await subscribeToTools(client, connection, onServerEvent, budget.remainingMs());
    // The server may also be lost while it is subscribed to.
    if (connection.lost !== undefined) throw connection.lost;
    return connection;
  } catch (error) {
    await Promise.allSettled([client.close(), watched.close()]);
    if (exchange.rpcError !== undefined) maker.onRefused?.(exchange.rpcError);
    const markAnswered = (failure: McpFailure) =>
      exchange.isAnswered ? afterAnswer(failure) : failure;
    if (budget.signal.aborted) {
      const reason = explainAbort(budget.signal.reason, secrets);
      throw reason instanceof McpFailure ? markAnswered(reason) : reason;
    }
    const failure = markAnswered(explainMcpError(lost ?? error, secrets));
    throw protocolVersion === undefined ? failure : explainPinned(protocolVersion, error, failure);
  } finally {
    watched.fallback = undefined;
    watched.end(exchange);
  }
}

function negotiationOver(kind: ServerInitInfo['transport'], mode: 'auto' | 'legacy') {
  // A child process that does not know the version request may never answer it, so the wait is
  // limited.
  return { mode, ...(kind === 'stdio' ? { probe: { timeoutMs: stdioProbeMs } } : {}) };
}

/** Declares in the older handshake only what exists in that era. */
function withLegacyCapabilities(message: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in message) || message.method !== 'initialize') return message;
  const { capabilities, ...params } = message.params as { capabilities?: Json };
  const declared = legacyCapabilities(capabilities ?? {});
  return { ...message, params: { ...params, capabilities: declared } };
}

function reportOpening(maker: ConnectionMaker, exchange: RecordedExchange): void {
  const opening = openingOf(exchange.results);
  if (opening !== undefined) maker.onOpened?.(opening);
}

function openingOf(results: ReadonlyMap<string, Json>): SeenAnswer | undefined {
  const method = ['initialize', 'server/discover'].find((one) => results.has(one));
  const result = method === undefined ? undefined : results.get(method);
  return method === undefined || result === undefined ? undefined : { method, result };
}

/**
 * Counts the bytes that arrive on the session's streams. The count starts again with every call.
 */
class StreamCounter {
  readonly #limits: McpLimits;
  #bytes = 0;
  #reconnects = 0;

  constructor(limits: McpLimits) {
    this.#limits = limits;
  }

  reset(): void {
    this.#bytes = 0;
    this.#reconnects = 0;
  }

  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.maxCallBytes) throw tooLarge(this.#limits.maxCallBytes);
  }

  /**
   * Reopens a stream that ended, after a pause. The number of reopenings is limited; each call
   * resets it.
   */
  reconnect(open: () => void, delayMs: number): () => void {
    this.#reconnects += 1;
    if (this.#reconnects > this.#limits.maxReconnects) return () => undefined;
    const timer = setTimeout(open, Math.min(Math.max(delayMs, shortestPauseMs), longestPauseMs));
    timer.unref();
    return () => clearTimeout(timer);
  }
}

/**
 * A validator that accepts every value. With a real one, the protocol library would compile the
 * schemas that servers send.
 */
const acceptEverything: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

/**
 * Returns whether the HTTP status is one that servers with only the older HTTP+SSE transport send.
 */
export function mayBeOlder(error: unknown): boolean {
  if (!(error instanceof McpFailure)) return false;
  const { status } = error.details;
  return status === 400 || status === 404 || status === 405;
}

function isTelling(error: unknown): boolean {
  return (
    error instanceof McpFailure && (error.code === 'OAUTH_REQUIRED' || error.code === 'FORBIDDEN')
  );
}

const stdioProbeMs = 3_000;
const slackMs = 500;
const goodbyeMs = 2_000;
const shortestPauseMs = 100;
const longestPauseMs = 60_000;
