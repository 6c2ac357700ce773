/**
 * Sessions that belong to one user each, a trial above all, and are never shared with others: nothing that one of them
 * did is seen by another. Opening them is cheap: what the first one taught about the server is used by the next, sockets
 * are those of the guarded fetch, and the child processes of a server are begun ahead. A child that was begun ahead
 * serves one session or none, and ends with whoever opens the sessions.
 */
import { CallBudget } from './call-budget.ts';
import type { ConnectionHints } from './connection-hints.ts';
import type { McpConnection } from './mcp-connection.ts';
import { McpFailure } from './mcp-failure.ts';
import type { OwnSession, OwnSessions } from './mcp-gateway.ts';
import { limitsFor, type McpLimits } from './mcp-limits.ts';
import type { McpTarget } from './mcp-target.ts';
import { type ConnectionMaker, openConnection } from './open-connection.ts';
import type { OnServerEvent } from './server-events.ts';
import type { OnServerRequest } from './server-requests.ts';
import { SessionPool } from './session-pool.ts';
import { StdioTransport } from './stdio-transport.ts';
import { useSession } from './use-session.ts';

export class OwnedSessions implements OwnSessions {
  readonly #maker: ConnectionMaker;
  readonly #hints: ConnectionHints = {};
  readonly #open = new Set<Session>();
  readonly #closing = new Set<Promise<void>>();
  #ahead: StdioTransport | undefined;

  constructor(maker: ConnectionMaker) {
    this.#maker = maker;
  }

  open(
    target: McpTarget,
    onServerRequest?: OnServerRequest,
    onServerEvent?: OnServerEvent,
    asksForEvents?: boolean,
  ): OwnSession {
    const maker: ConnectionMaker = {
      ...this.#maker,
      hints: this.#hints,
      takeChild: () => this.#takeAhead(),
      ...(onServerRequest && { onServerRequest }),
      ...(onServerEvent && { onServerEvent }),
      ...(asksForEvents !== undefined && { asksForEvents }),
    };
    const session = new Session(maker, target, () => this.#open.delete(session));
    this.#open.add(session);
    return session;
  }

  prepare(target: McpTarget): void {
    const { address } = target;
    if (address.kind !== 'stdio' || this.#ahead?.isAlive === true) return;
    if (this.#ahead !== undefined) this.#end(this.#ahead);
    // Whether somebody wants its lines is known when it is taken.
    const child = new StdioTransport(address, limitsFor(this.#maker.limits, target));
    this.#ahead = child;
    // Where it cannot be started, whoever opens a session hears so.
    child.begin().catch(() => undefined);
  }

  async close(): Promise<void> {
    const child = this.#ahead;
    this.#ahead = undefined;
    if (child !== undefined) this.#end(child);
    await Promise.all([...this.#open].map((session) => session.close()));
    while (this.#closing.size > 0) await Promise.all(this.#closing);
  }

  /** One that has ended meanwhile is no evidence of anything: another is started. */
  #takeAhead(): StdioTransport | undefined {
    const child = this.#ahead;
    this.#ahead = undefined;
    if (child === undefined || child.isAlive) return child;
    this.#end(child);
    return undefined;
  }

  #end(child: StdioTransport): void {
    const closing = child.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

/**
 * A pool for one: it opens the session when it is first used, and anew where it was lost or refused, which its owner
 * hears. The process of a server holds what was done with it, so where it ended between two uses, the next use fails by
 * that; another process is begun for those after it.
 */
class Session implements OwnSession {
  readonly #pool: SessionPool;
  readonly #target: McpTarget;
  readonly #limits: McpLimits;
  readonly #onClosed: () => void;
  #connection: McpConnection | undefined;
  /** The last one whose loss a use failed by. */
  #told: McpConnection | undefined;

  constructor(maker: ConnectionMaker, target: McpTarget, onClosed: () => void) {
    this.#limits = { ...limitsFor(maker.limits, target), ...asLongAsWanted };
    this.#target = target;
    this.#onClosed = onClosed;
    this.#pool = new SessionPool(async (_, signal) => {
      const { callMs, maxCallBytes } = this.#limits;
      const budget = new CallBudget(target.timeoutMs ?? callMs, maxCallBytes, signal);
      try {
        const connection = await openConnection(maker, target, budget);
        const reason = this.#connection && lossOf(this.#connection);
        if (reason !== undefined) maker.onServerEvent?.({ reopenedAfter: reason.message });
        this.#connection = connection;
        return connection;
      } finally {
        budget.end();
      }
    }, this.#limits);
  }

  use: OwnSession['use'] = async (work, options) => {
    const used = this.#connection;
    if (this.#target.address.kind === 'stdio' && used?.lost !== undefined && used !== this.#told) {
      this.#told = used;
      throw used.lost;
    }
    try {
      return await useSession(this.#pool, this.#target, this.#limits, work, {
        ...options,
        isOwn: true,
      });
    } catch (error) {
      const connection = this.#connection;
      const reason = error instanceof McpFailure ? error.details['reason'] : undefined;
      if (reason !== undefined && connection?.lost?.details['reason'] === reason) {
        this.#told = connection;
      }
      throw error;
    }
  };

  async close(): Promise<void> {
    await this.#pool.close();
    this.#onClosed();
  }
}

/** Why the connection is not used any more, where something was lost with it: without a session there is nothing. */
function lossOf({ lost, spentBy, hasSessionId, initInfo }: McpConnection): McpFailure | undefined {
  const holdsState = hasSessionId || initInfo.transport !== 'streamable-http';
  return holdsState ? (lost ?? spentBy) : undefined;
}

/** Whoever owns a session ends it; the slots of the organization were taken by its owner. */
const asLongAsWanted = {
  sessionIdleMs: 2 ** 31 - 1,
  sessionMaxMs: Number.POSITIVE_INFINITY,
  maxSessionsPerOrganization: Number.POSITIVE_INFINITY,
};
