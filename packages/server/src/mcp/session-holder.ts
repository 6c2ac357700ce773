/** Holds the connection of one call, and changes it once where the server does not know the session any more. */
import type { CallBudget } from './call-budget.ts';
import type { McpConnection } from './mcp-connection.ts';
import { McpFailure } from './mcp-failure.ts';
import type { McpTarget } from './mcp-target.ts';
import type { Lease, SessionPool } from './session-pool.ts';

type Json = Readonly<Record<string, unknown>>;

export class SessionHolder {
  readonly #renew: () => Promise<Lease>;
  readonly #budget: CallBudget;
  #lease: Lease;
  /** The second connection, from the moment it is asked for: requests at the same time wait for the same one. */
  #renewal: Promise<Lease> | undefined;
  #isSpent = false;
  #isOver = false;

  static async open(
    pool: SessionPool,
    target: McpTarget,
    budget: CallBudget,
  ): Promise<SessionHolder> {
    const take = () => pool.lease(target, budget);
    return new SessionHolder(await take(), take, budget);
  }

  private constructor(lease: Lease, renew: () => Promise<Lease>, budget: CallBudget) {
    this.#lease = lease;
    this.#renew = renew;
    this.#budget = budget;
  }

  get connection(): McpConnection {
    return this.#lease.connection;
  }

  async ask(method: string, params: Json): Promise<Json> {
    const lease = await (this.#renewal ?? this.#lease);
    try {
      return await lease.connection.request(this.#budget, method, params);
    } catch (error) {
      if (lease === this.#lease) this.noteFailure(error);
      if (!(error instanceof McpFailure) || this.#budget.signal.aborted) throw error;
      const isFirst = lease.isWarm && (await this.#renewal) !== lease;
      if (!isFirst || !mayAskAgain(error, method, lease.connection)) throw error;
      const next = await this.#renewed();
      return next.connection.request(this.#budget, method, params);
    }
  }

  noteFailure(error: unknown): void {
    this.#isSpent ||= error instanceof McpFailure && isSpentBy(error);
  }

  release(): void {
    this.#isOver = true;
    this.#lease.release(this.#isSpent);
  }

  #renewed(): Promise<Lease> {
    this.#renewal ??= this.#change();
    return this.#renewal;
  }

  async #change(): Promise<Lease> {
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
 * Whether a request may be sent a second time. A session that the server does not know was not used for it. A
 * lost connection leaves open whether the request arrived, so only what changes nothing is repeated.
 */
function mayAskAgain(error: McpFailure, method: string, connection: McpConnection): boolean {
  const { reason, status } = error.details;
  if (status === 404 && connection.hasSessionId) return true;
  if (method === 'tools/call') return false;
  return reason === 'CONNECTION_CLOSED' || reason === 'UNREACHABLE';
}

/** After these the connection is not trusted with another call. */
function isSpentBy(error: McpFailure): boolean {
  if (error.code === 'TIMEOUT' || error.code === 'OAUTH_REQUIRED') return true;
  if (error.code !== 'SERVER_UNREACHABLE') return false;
  const { reason, status } = error.details;
  return status === 404 || !harmless.has(String(reason));
}

const harmless = new Set(['SERVER_ERROR', 'TARGET_RATE_LIMITED', 'INPUT_REQUIRED']);
