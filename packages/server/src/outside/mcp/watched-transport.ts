/**
 * Wraps a transport of the protocol library and watches it. It stores results as the server sent
 * them and drops floods of messages. It also fails an exchange for which the library would wait
 * forever, because of an answer with an unknown id, a stream that ends without an answer, or a
 * message that is not JSON-RPC.
 */
import {
  type JSONRPCMessage,
  type MessageExtraInfo,
  SdkHttpError,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { isRecord } from '@proofmark/domain';
import { type DiscoverError, discovering } from './discovery.ts';
import { connectionClosed, invalidAnswer, rpcErrorOfHttp } from './explain-mcp-error.ts';
import type { McpFailure } from './mcp-failure.ts';
import type { McpLimits } from './mcp-limits.ts';
import { exchangeHeader, type RecordedExchange } from './recorded-exchange.ts';

export class WatchedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  /** Called once, as soon as this transport can send no more requests. */
  onlost: (reason: unknown) => void = () => undefined;
  ontoolschanged: () => void = () => undefined;
  /** Called for every notification, even in a flood. */
  onnotification: (method: string, params: unknown) => void = () => undefined;
  /** Called when a new request begins. */
  onbegin: () => void = () => undefined;
  /**
   * Called with an error that the server answered to `server/discover`. A failure that it returns
   * ends the handshake.
   */
  ondiscovererror: (error: DiscoverError) => McpFailure | undefined = () => undefined;
  /** Replaces a message before it is sent. */
  rewrite: (message: JSONRPCMessage) => JSONRPCMessage = (message) => message;
  /** The exchange to which requests without a key belong; set during the handshake. */
  fallback: RecordedExchange | undefined;
  readonly #inner: Transport;
  readonly #limits: McpLimits;
  readonly #exchanges = new Map<string, RecordedExchange>();
  readonly #pending = new Map<string | number, Pending>();
  /** The ids of subscriptions. They stay open and wait for no answer. */
  readonly #subscriptions = new Set<string | number>();
  /** The method of the last request that was sent. */
  lastMethod: string | undefined;
  #highestId = -1;
  #notifications = 0;
  #serverRequests = 0;
  #isLost = false;
  #isClosing = false;

  constructor(inner: Transport, limits: McpLimits) {
    this.#inner = inner;
    this.#limits = limits;
    if (inner.hasPerRequestStream === true) this.hasPerRequestStream = true;
    // The library recognizes the transport of a child process by the names `pid` and `stderr`, and
    // then waits longer for answers.
    if ('pid' in inner) Object.assign(this, { pid: null, stderr: null });
    inner.onclose = () => {
      // If Proofmark closed the transport, waiting calls get the reason from the closing code.
      if (!this.#isClosing) this.lose(closingOf(inner, this.#pending.size > 0));
      this.onclose?.();
    };
    inner.onerror = (error) => {
      if (isMalformed(error)) this.#failAll(invalidAnswer());
      this.onerror?.(error);
    };
    inner.onmessage = (message, extra) => this.#receive(message, extra);
  }

  readonly hasPerRequestStream?: boolean;

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  close(): Promise<void> {
    this.#isClosing = true;
    return this.#inner.close();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  begin(exchange: RecordedExchange): void {
    this.#exchanges.set(exchange.key, exchange);
    this.#notifications = 0;
    this.#serverRequests = 0;
    this.onbegin();
  }

  end(exchange: RecordedExchange): void {
    this.#exchanges.delete(exchange.key);
    for (const [id, pending] of this.#pending) {
      if (pending.exchange === exchange) this.#pending.delete(id);
    }
  }

  exchangeOf(key: string | null): RecordedExchange | undefined {
    return key === null ? undefined : this.#exchanges.get(key);
  }

  /** Fails everything that waits for an answer, since the connection can no longer be used. */
  lose(reason: unknown): void {
    this.#failAll(reason);
    if (this.#isLost) return;
    this.#isLost = true;
    this.onlost(reason);
  }

  async send(given: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const message = this.rewrite(given);
    if (!('method' in message && 'id' in message)) return this.#inner.send(message, options);
    if (message.method === subscribing) {
      this.#subscriptions.add(message.id);
      return this.#inner.send(message, options);
    }
    const exchange = this.exchangeOf(options.headers?.[exchangeHeader] ?? null) ?? this.fallback;
    const { id, method } = message;
    this.lastMethod = method;
    this.#pending.set(id, { exchange, method });
    if (typeof id === 'number') this.#highestId = Math.max(this.#highestId, id);
    try {
      await this.#inner.send(message, {
        ...options,
        ...(exchange === undefined
          ? {}
          : { headers: { ...options.headers, [exchangeHeader]: exchange.key } }),
        onRequestStreamEnd: () => {
          options.onRequestStreamEnd?.();
          if (this.#pending.delete(id)) exchange?.fail(connectionClosed());
        },
      });
      if (exchange?.lastBody === 'json' && this.#pending.has(id)) {
        throw invalidAnswer('The answer of the server does not match the request.');
      }
    } catch (error) {
      this.#pending.delete(id);
      const refused = method === discovering ? this.#refusedBy(errorInBody(error)) : undefined;
      if (exchange !== undefined) exchange.rpcError ??= rpcErrorOfHttp(error);
      throw refused ?? error;
    }
  }

  #refusedBy(error: unknown): McpFailure | undefined {
    return isDiscoverError(error) ? this.ondiscovererror(error) : undefined;
  }

  #receive(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    if ('method' in message) {
      const isOwn = 'id' in message || message.method === acknowledging;
      if (!isOwn) this.onnotification(message.method, message.params);
      if (this.#isFlood(message)) return;
      if (message.method === 'notifications/tools/list_changed') this.ontoolschanged();
    } else if (!this.#isPassedOn(message)) return;
    this.onmessage?.(message, extra);
  }

  #isPassedOn(message: Answer): boolean {
    const { id } = message;
    if (id !== undefined && this.#subscriptions.has(id)) return true;
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (pending === undefined || id === undefined) {
      // An answer to an aborted call only arrives late and is no error. An answer with an id that
      // was never sent is an error.
      const isLate = typeof id === 'number' && id >= 0 && id <= this.#highestId;
      if (!isLate) this.#failAll(invalidAnswer('The server answered with an unknown request id.'));
      return false;
    }
    const { exchange, method } = pending;
    this.#pending.delete(id);
    exchange?.markAnswered();
    if ('result' in message) exchange?.results.set(method, message.result);
    else if (exchange !== undefined) exchange.rpcError ??= message.error;
    if (method !== discovering || !('error' in message)) return true;
    const refused = this.#refusedBy(message.error);
    if (refused !== undefined) exchange?.fail(refused);
    return refused === undefined;
  }

  #isFlood(message: JSONRPCMessage): boolean {
    if ('id' in message) {
      this.#serverRequests += 1;
      return this.#serverRequests > this.#limits.maxServerRequests;
    }
    this.#notifications += 1;
    return this.#notifications > this.#limits.maxNotifications;
  }

  #failAll(reason: unknown): void {
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { exchange } of waiting) exchange?.fail(reason);
    if (this.fallback !== undefined && waiting.length === 0) this.fallback.fail(reason);
  }
}

/**
 * Returns why the transport closed. A child process can report the reason; other transports cannot.
 */
function closingOf(
  inner: Transport & { closedBecause?(isAwaited: boolean): McpFailure },
  isAwaited: boolean,
): McpFailure {
  return inner.closedBecause?.(isAwaited) ?? connectionClosed();
}

/** Returns the JSON-RPC error in the body of an HTTP error. */
function errorInBody(error: unknown): unknown {
  if (!(error instanceof SdkHttpError) || typeof error.data.text !== 'string') return undefined;
  try {
    const body: unknown = JSON.parse(error.data.text);
    return isRecord(body) ? body['error'] : undefined;
  } catch {
    return undefined;
  }
}

function isDiscoverError(error: unknown): error is DiscoverError {
  return isRecord(error) && typeof error['code'] === 'number';
}

type Answer = Exclude<JSONRPCMessage, { method: string }>;

interface Pending {
  readonly exchange: RecordedExchange | undefined;
  readonly method: string;
}

const subscribing = 'subscriptions/listen';
const acknowledging = 'notifications/subscriptions/acknowledged';

function isMalformed(error: Error): boolean {
  return error instanceof SyntaxError || /ZodError$/.test(error.name);
}
