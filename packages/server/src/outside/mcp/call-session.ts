/**
 * The connection of one call. It is replaced once where the server refused the session or does not know it any more. A
 * request that may have been executed is never sent a second time.
 */
import type { Json } from '@proofmark/domain';
import { asksToWait } from './asks-to-wait.ts';
import type { CallBudget } from './call-budget.ts';
import type { McpConnection } from './mcp-connection.ts';
import { McpFailure } from './mcp-failure.ts';
import type { McpTarget } from './mcp-target.ts';
import type { SessionLease, SessionPool } from './session-pool.ts';
import { watchLoop } from './watch-loop.ts';

export interface SessionOptions {
  /** Of one user, who is told of the end of a process; another is not begun in its place. */
  readonly isOwn?: boolean;
  /** Whether it stays as it is after a call that got no answer in time. */
  keepsAfterTimeout?(): boolean;
}

export class CallSession {
  readonly #renew: () => Promise<SessionLease>;
  readonly #budget: CallBudget;
  readonly #keepsProcess: boolean;
  readonly #keepsAfterTimeout: () => boolean;
  #lease: SessionLease;
  /** The second connection, from the moment it is asked for: requests at the same time wait for the same one. */
  #renewal: Promise<SessionLease> | undefined;
  #isSpent = false;
  #isOver = false;
  /**
   * When the last request was sent, which is later than it was asked for where a session was opened anew, and how long
   * this process stood still until it was answered.
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

  async ask(method: string, params: Json): Promise<Json> {
    const lease = await (this.#renewal ?? this.#lease);
    try {
      return await this.#send(lease, method, params);
    } catch (error) {
      if (lease === this.#lease) this.noteFailure(error);
      if (!(error instanceof McpFailure) || this.#budget.signal.aborted) throw error;
      const isFirst = (await this.#renewal) !== lease;
      if (this.#keepsProcess || !isFirst || !mayAskAgain(error, method, lease)) throw error;
      return this.#send(await this.#renewed(), method, params);
    }
  }

  async #send({ connection }: SessionLease, method: string, params: Json): Promise<Json> {
    const last = { sentAtMs: performance.now(), stillMs: 0 };
    this.last = last;
    const endWatch = watchLoop();
    try {
      return await connection.request(this.#budget, method, params);
    } finally {
      last.stillMs = endWatch();
    }
  }

  noteFailure(error: unknown): void {
    // Whoever gave up leaves a server behind that may still work on what was asked.
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
    // Given back first, so that an organization at its limit does not wait for itself.
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
 * Whether a request may be sent a second time. One whose session was refused was not executed. An error inside an
 * answer, and a connection that was lost, leave that open, so then only what changes nothing is repeated.
 */
function mayAskAgain(
  error: McpFailure,
  method: string,
  { connection, isWarm }: SessionLease,
): boolean {
  if (error.details['isBegun'] === true) return false;
  const isRefusedSession = connection.hasSessionId && isRefused(error);
  // An error of its own inside the answer shows that the request was read, and maybe carried out.
  if (method === 'tools/call') {
    return isRefusedSession && unreadCodes.has(error.details['mcpErrorCode']);
  }
  if (isRefusedSession) return true;
  if (connection.hasSessionId && hasSessionCode(error)) return true;
  const { reason } = error.details;
  return isWarm && (reason === 'CONNECTION_CLOSED' || reason === 'UNREACHABLE');
}

/** After these the connection is not trusted with another call. */
function isSpentBy(error: McpFailure, { hasSessionId }: McpConnection): boolean {
  if (error.code === 'TIMEOUT' || error.code === 'OAUTH_REQUIRED') return true;
  if (hasSessionId && (isRefused(error) || hasSessionCode(error))) return true;
  if (error.code !== 'SERVER_UNREACHABLE') return false;
  if (asksToWait(error)) return false;
  const { reason, status } = error.details;
  return status === 404 || !harmless.has(String(reason));
}

/** An HTTP answer that turned the request away before anything was done with it. */
function isRefused({ details: { status, mcpErrorCode } }: McpFailure): boolean {
  if (typeof status !== 'number' || status < 400 || status > 499) return false;
  return !aboutOthers.has(status) && !aboutTheRequest.has(mcpErrorCode);
}

/** Servers say by these that they do not know a session; some use them for other things. */
function hasSessionCode({ details: { mcpErrorCode } }: McpFailure): boolean {
  return mcpErrorCode === -32000 || mcpErrorCode === -32001;
}

const harmless = new Set(['SERVER_ERROR', 'INPUT_REQUIRED']);
/** Credentials, time, size and pace: another session changes nothing about them. */
const aboutOthers = new Set([401, 403, 407, 408, 413, 429]);
/** No code, one that means the session, or that nobody could read the request: it was not carried out. */
const unreadCodes = new Set<unknown>([undefined, -32000, -32001, -32600, -32700]);
/** The method and its parameters, which were read and found wrong. */
const aboutTheRequest = new Set<unknown>([-32601, -32602]);
