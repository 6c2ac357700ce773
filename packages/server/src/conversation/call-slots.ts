/**
 * Limits how many concurrent calls all runs of this process make on one server. If a server asks
 * Proofmark to wait, its limit is lowered until all runs that then use the server have ended. The
 * process then also lowers the limit that all processes share.
 */
import { Semaphore } from '@proofmark/domain';
import type { McpFailure } from '../outside/mcp/mcp-failure.ts';

export class CallSlots {
  readonly #servers = new Map<string, CalledServer>();
  readonly #slots = new Semaphore((key) => limitOf(this.#servers.get(key)));

  /** Registers a run as a user of the server. The returned function ends the registration. */
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
      // The limit at the start of this call. `takeFewer` lowers the limit relative to this value,
      // so calls that are rejected together lower it only once.
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

  /** While the work runs, calls of this server are made one at a time. */
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

  /** Whether the server asked Proofmark to wait, so that its calls are limited. */
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

  /** Removes the limit once all runs that used the server when it asked to wait have ended. */
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
  readonly limit: number;
  /** Whether no other call of Proofmark to this server has overlapped with this call so far. */
  wasAlone(): boolean;
  takeFewer(): void;
  readonly pace: ServerPace;
}

export interface ServerPace {
  /**
   * True if the server rejected calls even with no other call in flight, until Proofmark stopped
   * retrying.
   */
  isHopeless: boolean;
  /** The earliest time of the next call, in milliseconds of the monotonic clock. */
  notBeforeMs: number;
  refusal?: McpFailure;
}

interface CalledServer {
  readonly runs: Set<symbol>;
  readonly slowed: Set<symbol>;
  entered: number;
  limit: number;
  /** The number of callers that need the server to have no other call in flight. */
  wantedAlone: number;
  readonly pace: ServerPace;
}

function limitOf(server: CalledServer | undefined): number {
  if (server === undefined) return Infinity;
  return server.wantedAlone > 0 ? 1 : server.limit;
}

/**
 * Halves a large limit, but reduces a small one only by one. Otherwise a server that allows three
 * calls would be reduced to one at once.
 */
export function fewerThan(limit: number): number {
  return limit > 4 ? Math.floor(limit / 2) : Math.max(1, limit - 1);
}
