/**
 * Sessions for one user each, usually a trial. They are never shared, so that no user sees the
 * effects of another. Opening them is cheap: later sessions use the hints of the first, share
 * sockets, and use child processes that were started in advance. Such a child process serves at
 * most one session, and ends with the opener of the sessions.
 */
import { CallBudget } from './call-budget.ts';
import type { ConnectionHints } from './connection-hints.ts';
import type { McpConnection } from './mcp-connection.ts';
import { McpFailure } from './mcp-failure.ts';
import type { OwnSession, OwnSessionOptions, OwnSessions } from './mcp-gateway.ts';
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
    { asksForEvents, answersUrls }: OwnSessionOptions = {},
  ): OwnSession {
    const maker: ConnectionMaker = {
      ...this.#maker,
      hints: this.#hints,
      takeChild: () => this.#takeAhead(),
      ...(onServerRequest && { onServerRequest }),
      ...(onServerEvent && { onServerEvent }),
      ...(asksForEvents !== undefined && { asksForEvents }),
      ...(answersUrls !== undefined && { answersUrls }),
    };
    const session = new Session(maker, target, () => this.#open.delete(session));
    this.#open.add(session);
    return session;
  }

  prepare(target: McpTarget): void {
    const { address } = target;
    if (address.kind !== 'stdio' || this.#ahead?.isAlive === true) return;
    if (this.#ahead !== undefined) this.#end(this.#ahead);
    // The session that takes this process will add the listener for its stderr lines.
    const child = new StdioTransport(address, limitsFor(this.#maker.limits, target));
    this.#ahead = child;
    // A failed start is reported later, when a session is opened.
    child.begin().catch(() => undefined);
  }

  async close(): Promise<void> {
    const child = this.#ahead;
    this.#ahead = undefined;
    if (child !== undefined) this.#end(child);
    await Promise.all([...this.#open].map((session) => session.close()));
    while (this.#closing.size > 0) await Promise.all(this.#closing);
  }

  /**
   * Takes the prepared child process. If it has ended meanwhile, this is not reported, because a
   * new process is started instead.
   */
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
 * A session for one user. It opens at the first use, and again if it was lost or refused, which is
 * reported as an event. The process of a stdio server may contain state. If it ended between two
 * uses, the next use therefore fails; later uses get a new process.
 */
class Session implements OwnSession {
  readonly #pool: SessionPool;
  readonly #target: McpTarget;
  readonly #limits: McpLimits;
  readonly #onClosed: () => void;
  #connection: McpConnection | undefined;
  /**
   * The last lost connection that was already reported by a failed use. It is not reported twice.
   */
  #reportedLost: McpConnection | undefined;

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
    if (
      this.#target.address.kind === 'stdio' &&
      used?.lost !== undefined &&
      used !== this.#reportedLost
    ) {
      this.#reportedLost = used;
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
        this.#reportedLost = connection;
      }
      throw error;
    }
  };

  async close(): Promise<void> {
    await this.#pool.close();
    this.#onClosed();
  }
}

/**
 * Returns the failure with which a connection lost its state. A connection without a session has no
 * state to lose.
 */
function lossOf({ lost, spentBy, hasSessionId, initInfo }: McpConnection): McpFailure | undefined {
  const holdsState = hasSessionId || initInfo.transport !== 'streamable-http';
  return holdsState ? (lost ?? spentBy) : undefined;
}

/**
 * Removes the limits of the pool: the owner ends the session, and has already reserved the
 * organization's slots.
 */
const asLongAsWanted = {
  sessionIdleMs: 2 ** 31 - 1,
  sessionMaxMs: Number.POSITIVE_INFINITY,
  maxSessionsPerOrganization: Number.POSITIVE_INFINITY,
};
