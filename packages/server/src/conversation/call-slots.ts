/**
 * At most so many calls of one server at once, over all runs of the process. A server that asked us to wait gets fewer
 * at a time, for as long as one of the runs goes on that were worked on when it did. The bound that all processes share is
 * lowered with it by each process that was asked, so that they come to as few together.
 */
import { Semaphore } from '@proofmark/domain';
import type { McpFailure } from '../outside/mcp/mcp-failure.ts';

export class CallSlots {
  readonly #servers = new Map<string, CalledServer>();
  readonly #slots = new Semaphore((key) => limitOf(this.#servers.get(key)));

  /** A run works with the server from now on; what it returns says that it is over. */
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
      // As it was when the call began: calls that are refused together lower it once.
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

  /** Calls that are made meanwhile are made one at a time, so that each of them is alone with the server. */
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

  /** Whether whoever waits here waits because the server asked for it. */
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

  /** None of the runs goes on that it asked to wait: it begins anew with the others. */
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
  /** How many calls at once the server gets, by what it asked of this process. */
  readonly limit: number;
  /** Whether no other call of ours was under way at any moment of this one so far. */
  wasAlone(): boolean;
  takeFewer(): void;
  readonly pace: ServerPace;
}

/** What all runs know of how often the server may be asked. */
export interface ServerPace {
  /** It refused us alone for as long as we had patience. */
  isHopeless: boolean;
  /** When it said that it may be asked again, by the clock that never goes back. */
  notBeforeMs: number;
  /** In which words. */
  refusal?: McpFailure;
}

interface CalledServer {
  readonly runs: Set<symbol>;
  /** Those of the runs that were worked on when the server asked us to wait. */
  readonly slowed: Set<symbol>;
  /** How many calls began so far. */
  entered: number;
  limit: number;
  /** How many want to be alone with it. */
  wantedAlone: number;
  readonly pace: ServerPace;
}

function limitOf(server: CalledServer | undefined): number {
  if (server === undefined) return Infinity;
  return server.wantedAlone > 0 ? 1 : server.limit;
}

/** Half of many, one less of a few: whoever allows three is not taken for one who allows a single call. */
export function fewerThan(limit: number): number {
  return limit > 4 ? Math.floor(limit / 2) : Math.max(1, limit - 1);
}
