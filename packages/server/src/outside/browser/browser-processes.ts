/**
 * The browser processes of a renderer: one that is kept warm while widgets come, and one for each widget that is shown alone. None is
 * started before it is needed, and a warm one ends when nobody came for a while.
 */
import {
  type BrowserFound,
  type LaunchWay,
  notStartedText,
  type SandboxWish,
} from '@proofmark/domain';
import { removeOldRoomFolders } from './browser-folders.ts';
import type { RoomSettings } from './browser-messages.ts';
import { BrowserProcess, PipeFailed } from './browser-process.ts';
import { BrowserLost } from './widget-renderer.ts';

const failureLastsMs = 60_000;
/** A browser grows with the pages it has shown. */
const mostPages = 500;

interface WarmRoom {
  readonly starting: Promise<BrowserProcess>;
  /** Once it has started. */
  room: BrowserProcess | undefined;
  /** How many came to it. */
  pages: number;
}

export interface BrowserProcessesOptions {
  readonly room: Omit<RoomSettings, 'way'>;
  readonly idleMs: number;
  /** How a browser may be started here, safest first. */
  readonly ways: readonly LaunchWay[];
  readonly wish: SandboxWish;
  /** Told of each browser that was started. */
  onStarted(found: BrowserFound): void;
}

export class BrowserProcesses {
  readonly #options: BrowserProcessesOptions;
  readonly #idleMs: number;
  readonly #all = new Set<BrowserProcess>();
  #warm: WarmRoom | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isSwept = false;

  /** Why the ways before the one that works did not. */
  #failures: string[] = [];
  #failedAtMs = 0;

  constructor(options: BrowserProcessesOptions) {
    this.#options = options;
    this.#idleMs = options.idleMs;
  }

  /** Of the one that is open, or else of one that is started for this alone. Throws BrowserLost where none can be. */
  async look(): Promise<BrowserFound> {
    const open = this.#warm?.room;
    if (open !== undefined && !open.isOver) return this.#foundOf(open);
    const room = await this.fresh();
    room.end();
    return this.#foundOf(room);
  }

  /** Shared with others. Throws BrowserLost where none can be started. */
  warm(): Promise<BrowserProcess> {
    clearTimeout(this.#timer);
    const known = this.#warm;
    if (known !== undefined && known.room?.isOver !== true && known.pages < mostPages) {
      known.pages += 1;
      return known.starting;
    }
    this.#retire(known?.room);
    const warm: WarmRoom = { starting: this.fresh(), room: undefined, pages: 1 };
    this.#warm = warm;
    warm.starting.then(
      (room) => {
        warm.room = room;
      },
      () => {
        if (this.#warm === warm) this.#warm = undefined;
      },
    );
    return warm.starting;
  }

  /** For one alone, who ends it. */
  async fresh(): Promise<BrowserProcess> {
    if (this.#isClosed) throw new Error('The renderer is closed.');
    if (!this.#isSwept) void removeOldRoomFolders();
    this.#isSwept = true;
    const room = await this.#start();
    this.#all.add(room);
    void room.ended.then(() => this.#all.delete(room));
    return room;
  }

  /** After a page was left, in good order or not. */
  left(room: BrowserProcess, isClean: boolean): void {
    const isWarm = this.#warm?.room === room;
    if (!isClean && isWarm) this.#warm = undefined;
    if (room.guests > 0) return;
    if (!isClean || !isWarm) {
      room.end();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#retire(room), this.#idleMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#warm?.starting.catch(() => undefined);
    const ending = [...this.#all].map((room) => {
      room.end();
      return room.ended;
    });
    await Promise.all(ending);
  }

  /**
   * A way that the browser itself says cannot work is not tried again for a while. It may have been a passing trouble of the
   * machine, and the next way may be one without a sandbox.
   */
  async #start(): Promise<BrowserProcess> {
    const { room, ways, wish, onStarted } = this.#options;
    if (performance.now() - this.#failedAtMs > failureLastsMs) this.#failures = [];
    for (;;) {
      const way = ways[this.#failures.length];
      if (way === undefined) throw new BrowserLost(notStartedText(this.#failures, wish));
      const tried = this.#failures.length;
      try {
        const started = await BrowserProcess.start({ ...room, way });
        onStarted(this.#foundOf(started));
        return started;
      } catch (error) {
        if (!(error instanceof PipeFailed)) throw error;
        // Another may have found the same meanwhile.
        if (this.#failures.length !== tried) continue;
        this.#failures.push(`Tried ${wordsOf(way)}: ${error.message}`);
        this.#failedAtMs = performance.now();
      }
    }
  }

  #foundOf({ found }: BrowserProcess): BrowserFound {
    const { version, sandboxed, user, memoryBounded } = found;
    return { version, sandboxed, user, memoryBounded, failedBefore: [...this.#failures] };
  }

  #retire(room: BrowserProcess | undefined): void {
    this.#warm = undefined;
    if (room?.guests === 0) room.end();
  }
}

function wordsOf(way: LaunchWay): string {
  const user = way.user === undefined ? '' : `as the user ${way.user.name}, `;
  return `${user}${way.hasSandbox ? 'with' : 'without'} its sandbox`;
}
