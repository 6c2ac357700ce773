/**
 * The connection for one call. It is replaced once if the server refused the session or no longer
 * knows it. A request that the server may have executed is never sent again.
 */
import type { Json, TaskTrace } from '@proofmark/domain';
import { asksToWait } from './asks-to-wait.ts';
import type { CallBudget } from './call-budget.ts';
import type { McpConnection } from './mcp-connection.ts';
import { McpFailure } from './mcp-failure.ts';
import type { McpTarget } from './mcp-target.ts';
import type { SessionLease, SessionPool } from './session-pool.ts';
import { watchLoop } from './watch-loop.ts';

export interface SessionOptions {
  /**
   * Whether the session belongs to one user. If its process ends, that user gets an error instead
   * of a new process.
   */
  readonly isOwn?: boolean;
  /** Returns whether the session may be used again after a call that timed out. */
  keepsAfterTimeout?(): boolean;
}

export class CallSession {
  readonly #renew: () => Promise<SessionLease>;
  readonly #budget: CallBudget;
  readonly #keepsProcess: boolean;
  readonly #keepsAfterTimeout: () => boolean;
  #lease: SessionLease;
  /** The replacement connection, once requested. Concurrent requests wait for the same one. */
  #renewal: Promise<SessionLease> | undefined;
  #isSpent = false;
  #isOver = false;
  /**
   * When the last request was sent; after a reopened session this is later than the start of the
   * call. `stillMs` is how long this process was paused until the answer, in milliseconds.
   */
  last = { sentAtMs: performance.now(), stillMs: 0 };

  static async open(
    pool: SessionPool,
    target: McpTarget,
    budget: CallBudget,
    { isOwn = false, keepsAfterTimeout = () => false }: SessionOptions = {},
  ): Promise<CallSession> {
    const take = () => pool.lease(target, budget);
    const keepsProcess = isOwn && target.address.kind === 'stdio';
    return new CallSession(await take(), take, budget, keepsProcess, keepsAfterTimeout);
  }

  private constructor(
    lease: SessionLease,
    renew: () => Promise<SessionLease>,
    budget: CallBudget,
    keepsProcess: boolean,
    keepsAfterTimeout: () => boolean,
  ) {
    this.#lease = lease;
    this.#renew = renew;
    this.#budget = budget;
    this.#keepsProcess = keepsProcess;
    this.#keepsAfterTimeout = keepsAfterTimeout;
  }

  get connection(): McpConnection {
    return this.#lease.connection;
  }

  async ask(method: string, params: Json, onTask?: (trace: TaskTrace) => void): Promise<Json> {
    const lease = await (this.#renewal ?? this.#lease);
    try {
      return await this.#send(lease, method, params, onTask);
    } catch (error) {
      if (lease === this.#lease) this.noteFailure(error);
      if (!(error instanceof McpFailure) || this.#budget.signal.aborted) throw error;
      const isFirst = (await this.#renewal) !== lease;
      if (this.#keepsProcess || !isFirst || !mayAskAgain(error, method, lease)) throw error;
      return this.#send(await this.#renewed(), method, params, onTask);
    }
  }

  async #send(
    { connection }: SessionLease,
    method: string,
    params: Json,
    onTask?: (trace: TaskTrace) => void,
  ): Promise<Json> {
    const last = { sentAtMs: performance.now(), stillMs: 0 };
    this.last = last;
    const endWatch = watchLoop();
    try {
      return await connection.request(this.#budget, method, params, onTask);
    } finally {
      last.stillMs = endWatch();
    }
  }

  noteFailure(error: unknown): void {
    // After a timeout, the server may still work on the request, so the session is not used again
    // unless the caller wants that.
    const { connection } = this.#lease;
    const isLate = error instanceof McpFailure && error.code === 'TIMEOUT';
    if (isLate && this.#keepsAfterTimeout()) return;
    this.#isSpent ||=
      this.#budget.signal.aborted || (error instanceof McpFailure && isSpentBy(error, connection));
    if (this.#isSpent && error instanceof McpFailure) connection.spentBy ??= error;
  }

  release(): void {
    this.#isOver = true;
    this.#lease.release(this.#isSpent);
  }

  #renewed(): Promise<SessionLease> {
    this.#renewal ??= this.#change();
    return this.#renewal;
  }

  async #change(): Promise<SessionLease> {
    // The used connection is released before the new one is requested. Otherwise, an organization
    // that has reached its limit would wait for itself.
    const spent = this.#lease;
    this.#lease = { ...spent, release: () => undefined };
    spent.release(true);
    const next = await this.#renew();
    if (this.#isOver) next.release(false);
    this.#lease = next;
    this.#isSpent = false;
    return next;
  }
}

/**
 * Returns whether a request may be sent again. If the session was refused, the request was not
 * executed. After an error inside the answer or a lost connection this is unknown, so only a
 * request without effects is sent again.
 */
function mayAskAgain(
  error: McpFailure,
  method: string,
  { connection, isWarm }: SessionLease,
): boolean {
  if (error.details['isBegun'] === true) return false;
  const isRefusedSession = connection.hasSessionId && isRefused(error);
  // An error inside the answer shows that the server read the request and may have executed it.
  if (method === 'tools/call') {
    return isRefusedSession && unreadCodes.has(error.details['mcpErrorCode']);
  }
  if (isRefusedSession) return true;
  if (connection.hasSessionId && hasSessionCode(error)) return true;
  const { reason } = error.details;
  return isWarm && (reason === 'CONNECTION_CLOSED' || reason === 'UNREACHABLE');
}

function isSpentBy(error: McpFailure, { hasSessionId }: McpConnection): boolean {
  if (error.code === 'TIMEOUT' || error.code === 'OAUTH_REQUIRED') return true;
  if (hasSessionId && (isRefused(error) || hasSessionCode(error))) return true;
  if (error.code !== 'SERVER_UNREACHABLE') return false;
  if (asksToWait(error)) return false;
  const { reason, status } = error.details;
  return status === 404 || !harmless.has(String(reason));
}

/**
 * Returns whether the server may have rejected the session: a 4xx status that is not about
 * credentials, time, size or rate, and no error code about the request itself.
 */
function isRefused({ details: { status, mcpErrorCode } }: McpFailure): boolean {
  if (typeof status !== 'number' || status < 400 || status > 499) return false;
  return !aboutOthers.has(status) && !aboutTheRequest.has(mcpErrorCode);
}

/**
 * Returns whether the error has a code for an unknown session. Some servers use these codes for
 * other errors too.
 */
function hasSessionCode({ details: { mcpErrorCode } }: McpFailure): boolean {
  return mcpErrorCode === -32000 || mcpErrorCode === -32001;
}

const harmless = new Set(['SERVER_ERROR', 'INPUT_REQUIRED']);
/**
 * HTTP statuses about credentials, time, size and rate. A new session would give the same status.
 */
const aboutOthers = new Set([401, 403, 407, 408, 413, 429]);
/**
 * JSON-RPC codes that show that the request was not executed: no code, a code for an unknown
 * session, or a code for an unreadable request.
 */
const unreadCodes = new Set<unknown>([undefined, -32000, -32001, -32600, -32700]);
/**
 * Error codes for a wrong method or wrong parameters. They show that the server has read the
 * request.
 */
const aboutTheRequest = new Set<unknown>([-32601, -32602]);
