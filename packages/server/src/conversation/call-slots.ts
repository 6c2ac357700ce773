/**
 * Limits the concurrent calls of one server over all runs of the process. A server that asked us to
 * wait gets fewer, until all runs that were under way at that moment have ended. Each process that
 * was asked also lowers the limit shared by all processes, so that together they make fewer calls.
 */
import { Semaphore } from '@proofmark/domain';
import type { McpFailure } from '../outside/mcp/mcp-failure.ts';

export class CallSlots {
  readonly #servers = new Map<string, CalledServer>();
  readonly #slots = new Semaphore((key) => limitOf(this.#servers.get(key)));

  /** Notes that a run uses the server from now on; the returned function ends that. */
  join(key: string): () => void {
    const server = this.#of(key);
    const run = Symbol(key);
    server.runs.add(run);
    return () => {
      server.runs.delete(run);
      if (server.slowed.delete(run) && server.slowed.size === 0) this.#forgive(key, server);
      this.#forget(key, server);
    };
  }

  async run<Result>(
    key: string,
    atMost: number,
    signal: AbortSignal,
    work: (slot: HeldSlot) => Promise<Result>,
  ): Promise<Result> {
    const server = this.#of(key);
    const call = async () => {
      server.entered += 1;
      const [enteredBefore, wasFirst] = [server.entered, this.#slots.held(key) === 1];
      const limit = Math.min(atMost, limitOf(server));
      // The limit at the start of the call: calls that are rejected together lower it only once.
      const allowed = Math.min(atMost, server.limit);
      return work({
        limit,
        wasAlone: () => wasFirst && server.entered === enteredBefore,
        takeFewer() {
          server.limit = Math.min(server.limit, fewerThan(allowed));
          for (const run of server.runs) server.slowed.add(run);
        },
        pace: server.pace,
      });
    };
    try {
      return await this.#slots.run(key, call, { atMost, signal });
    } finally {
      this.#forget(key, server);
    }
  }

  /**
   * Runs work; meanwhile calls of the server are made one at a time, so that each of them is alone
   * with it.
   */
  async oneAtATime<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const server = this.#of(key);
    server.wantedAlone += 1;
    try {
      return await work();
    } finally {
      server.wantedAlone -= 1;
      this.#slots.wake(key);
      this.#forget(key, server);
    }
  }

  /** Returns whether callers wait here because the server asked for it. */
  isSlowed(key: string): boolean {
    return (this.#servers.get(key)?.limit ?? Infinity) < Infinity;
  }

  #of(key: string): CalledServer {
    const known = this.#servers.get(key);
    if (known !== undefined) return known;
    const server: CalledServer = {
      runs: new Set(),
      slowed: new Set(),
      entered: 0,
      limit: Infinity,
      wantedAlone: 0,
      pace: { isHopeless: false, notBeforeMs: 0 },
    };
    this.#servers.set(key, server);
    return server;
  }

  /** All runs that it asked to wait have ended: the limit is removed. */
  #forgive(key: string, server: CalledServer): void {
    server.limit = Infinity;
    server.pace.isHopeless = false;
    server.pace.notBeforeMs = 0;
    delete server.pace.refusal;
    this.#slots.wake(key);
  }

  #forget(key: string, { runs, wantedAlone }: CalledServer): void {
    const isInUse = wantedAlone > 0 || this.#slots.held(key) > 0 || this.#slots.waiting(key) > 0;
    if (runs.size === 0 && !isInUse) this.#servers.delete(key);
  }
}

export interface HeldSlot {
  /** The concurrent calls that the server gets, after its requests to this process. */
  readonly limit: number;
  /** Returns whether no other call of ours overlapped with this one so far. */
  wasAlone(): boolean;
  takeFewer(): void;
  readonly pace: ServerPace;
}

/** The knowledge of all runs about the server's rate limit. */
export interface ServerPace {
  /** True if it rejected even single calls for as long as we retried. */
  isHopeless: boolean;
  /** The time after which the server accepts calls again, by the monotonic clock. */
  notBeforeMs: number;
  /** The server's last refusal. */
  refusal?: McpFailure;
}

interface CalledServer {
  readonly runs: Set<symbol>;
  /** Runs that were under way when the server asked us to wait. */
  readonly slowed: Set<symbol>;
  /** The number of calls begun so far. */
  entered: number;
  limit: number;
  /** The number of callers that want to be alone with it. */
  wantedAlone: number;
  readonly pace: ServerPace;
}

function limitOf(server: CalledServer | undefined): number {
  if (server === undefined) return Infinity;
  return server.wantedAlone > 0 ? 1 : server.limit;
}

/**
 * Returns half of a large limit, one less of a small one: a server that allows three must not be
 * reduced to one at once.
 */
export function fewerThan(limit: number): number {
  return limit > 4 ? Math.floor(limit / 2) : Math.max(1, limit - 1);
}
