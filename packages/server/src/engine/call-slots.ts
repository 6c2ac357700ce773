/**
 * At most so many calls of one server at once, over all runs of the process; the others wait in line, first come,
 * first served. Whoever gives up while waiting leaves the line. A server that asked us to wait gets fewer at a time,
 * for as long as one of the runs goes on that were worked on when it did.
 */
import type { McpFailure } from '../mcp/mcp-failure.ts';

export class CallSlots {
  readonly #lanes = new Map<string, Lane>();

  /** A run works with the server from now on; what it returns says that it is over. */
  join(key: string): () => void {
    const lane = this.#of(key);
    const run = Symbol(key);
    lane.runs.add(run);
    return () => {
      lane.runs.delete(run);
      if (lane.slowed.delete(run) && lane.slowed.size === 0) forgive(lane);
      this.#forget(key, lane);
    };
  }

  async run<Result>(
    key: string,
    atMost: number,
    signal: AbortSignal,
    work: (turn: Turn) => Promise<Result>,
  ): Promise<Result> {
    const lane = this.#of(key);
    const mayEnter = () => lane.busy < Math.min(atMost, lane.limit);
    if (lane.waiting.length === 0 && mayEnter()) lane.busy += 1;
    else await wait(lane, mayEnter, signal);
    lane.entered += 1;
    const [enteredBefore, wasFirst] = [lane.entered, lane.busy === 1];
    const limit = Math.min(atMost, lane.limit);
    try {
      return await work({
        wasAlone: () => wasFirst && lane.entered === enteredBefore,
        takeFewer() {
          lane.limit = Math.min(lane.limit, fewerThan(limit));
          for (const run of lane.runs) lane.slowed.add(run);
        },
        memory: lane.memory,
      });
    } finally {
      lane.busy -= 1;
      letIn(lane);
      this.#forget(key, lane);
    }
  }

  /** Whether whoever waits here waits because the server asked for it. */
  isSlowed(key: string): boolean {
    return (this.#lanes.get(key)?.limit ?? Infinity) < Infinity;
  }

  #of(key: string): Lane {
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    const lane: Lane = {
      ...{ runs: new Set(), slowed: new Set(), busy: 0, entered: 0, limit: Infinity, waiting: [] },
      memory: { isHopeless: false, notBeforeMs: 0 },
    };
    this.#lanes.set(key, lane);
    return lane;
  }

  #forget(key: string, { runs, busy, waiting }: Lane): void {
    if (runs.size === 0 && busy === 0 && waiting.length === 0) this.#lanes.delete(key);
  }
}

export interface Turn {
  /** Whether no other call of ours was under way at any moment of this one so far. */
  wasAlone(): boolean;
  takeFewer(): void;
  readonly memory: LaneMemory;
}

/** What the runs of a server know of it together. */
export interface LaneMemory {
  /** It refused us alone for as long as we had patience. */
  isHopeless: boolean;
  /** When it said that it may be asked again, by the clock that never goes back. */
  notBeforeMs: number;
  /** In which words. */
  refusal?: McpFailure;
}

interface Lane {
  readonly runs: Set<symbol>;
  /** Those of the runs that were worked on when the server asked us to wait. */
  readonly slowed: Set<symbol>;
  busy: number;
  entered: number;
  limit: number;
  readonly waiting: { mayEnter(): boolean; enter(): void }[];
  readonly memory: LaneMemory;
}

/** None of the runs goes on that it asked to wait: it begins anew with the others. */
function forgive(lane: Lane): void {
  lane.limit = Infinity;
  lane.memory.isHopeless = false;
  lane.memory.notBeforeMs = 0;
  delete lane.memory.refusal;
  letIn(lane);
}

/** Half of many, one less of a few: whoever allows three is not taken for one who allows a single call. */
export function fewerThan(limit: number): number {
  return limit > 4 ? Math.floor(limit / 2) : Math.max(1, limit - 1);
}

function wait(lane: Lane, mayEnter: () => boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const waiter = {
      mayEnter,
      enter() {
        signal.removeEventListener('abort', leave);
        lane.busy += 1;
        resolve();
      },
    };
    const leave = () => {
      lane.waiting.splice(lane.waiting.indexOf(waiter), 1);
      reject(signal.reason);
      letIn(lane);
    };
    signal.addEventListener('abort', leave, { once: true });
    lane.waiting.push(waiter);
  });
}

function letIn(lane: Lane): void {
  while (lane.waiting[0]?.mayEnter()) lane.waiting.shift()?.enter();
}
