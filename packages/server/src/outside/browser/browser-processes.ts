/**
 * The browser processes of a renderer: a shared one that stays open between widgets, and separate
 * ones for widgets that are rendered alone. A process starts only when it is needed, and the shared
 * one ends after it was idle for a while.
 */
import {
  type BrowserFound,
  type LaunchWay,
  notStartedText,
  type SandboxChoice,
} from '@proofmark/domain';
import { removeOldBrowserFolders } from './browser-folders.ts';
import type { BrowserSettings } from './browser-messages.ts';
import { BrowserProcess, PipeFailed } from './browser-process.ts';
import { BrowserLost } from './widget-renderer.ts';

const failureLastsMs = 60_000;
/**
 * The number of pages after which the shared browser is replaced, because a browser's memory grows
 * with every page.
 */
const mostPages = 500;

interface WarmBrowser {
  readonly starting: Promise<BrowserProcess>;
  /** The started browser process. Undefined during the start. */
  browser: BrowserProcess | undefined;
  pages: number;
}

export interface BrowserProcessesOptions {
  readonly browserSettings: Omit<BrowserSettings, 'way'>;
  readonly idleMs: number;
  /** The ways to start a browser on this machine, safest first. */
  readonly ways: readonly LaunchWay[];
  readonly sandbox: SandboxChoice;
  onStarted(found: BrowserFound): void;
}

export class BrowserProcesses {
  readonly #options: BrowserProcessesOptions;
  readonly #idleMs: number;
  readonly #all = new Set<BrowserProcess>();
  #warm: WarmBrowser | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isSwept = false;

  /**
   * The errors of the launch ways that failed, in order. Their number is the index of the next way
   * to try.
   */
  #failures: string[] = [];
  #failedAtMs = 0;

  constructor(options: BrowserProcessesOptions) {
    this.#options = options;
    this.#idleMs = options.idleMs;
  }

  /**
   * Returns what is known about the open browser. If none is open, starts one and ends it again.
   * Throws BrowserLost if none can be started.
   */
  async look(): Promise<BrowserFound> {
    const open = this.#warm?.browser;
    if (open !== undefined && !open.isOver) return this.#foundOf(open);
    const browser = await this.fresh();
    browser.end();
    return this.#foundOf(browser);
  }

  /** Returns the shared browser process. Throws BrowserLost if none can be started. */
  warm(): Promise<BrowserProcess> {
    clearTimeout(this.#timer);
    const known = this.#warm;
    if (known !== undefined && known.browser?.isOver !== true && known.pages < mostPages) {
      known.pages += 1;
      return known.starting;
    }
    this.#retire(known?.browser);
    const warm: WarmBrowser = { starting: this.fresh(), browser: undefined, pages: 1 };
    this.#warm = warm;
    warm.starting.then(
      (browser) => {
        warm.browser = browser;
      },
      () => {
        if (this.#warm === warm) this.#warm = undefined;
      },
    );
    return warm.starting;
  }

  /** Returns a separate browser process, which the caller must end. */
  async fresh(): Promise<BrowserProcess> {
    if (this.#isClosed) throw new Error('The service is stopping, so no widget can be shown.');
    if (!this.#isSwept) void removeOldBrowserFolders();
    this.#isSwept = true;
    const browser = await this.#start();
    this.#all.add(browser);
    void browser.ended.then(() => this.#all.delete(browser));
    return browser;
  }

  /**
   * Called after a page was closed. `isClean` is false if the browser did not close it properly;
   * the browser is then not used for further pages.
   */
  left(browser: BrowserProcess, isClean: boolean): void {
    const isWarm = this.#warm?.browser === browser;
    if (!isClean && isWarm) this.#warm = undefined;
    if (browser.guests > 0) return;
    if (!isClean || !isWarm) {
      browser.end();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#retire(browser), this.#idleMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#warm?.starting.catch(() => undefined);
    const ending = [...this.#all].map((browser) => {
      browser.end();
      return browser.ended;
    });
    await Promise.all(ending);
  }

  /**
   * Starts a browser in the first way that works. A way that the browser rejected is skipped for
   * one minute only, because the cause may be temporary and the next way may lack a sandbox.
   */
  async #start(): Promise<BrowserProcess> {
    const { browserSettings, ways, sandbox, onStarted } = this.#options;
    if (performance.now() - this.#failedAtMs > failureLastsMs) this.#failures = [];
    for (;;) {
      const way = ways[this.#failures.length];
      if (way === undefined) throw new BrowserLost(notStartedText(this.#failures, sandbox));
      const tried = this.#failures.length;
      try {
        const started = await BrowserProcess.start({ ...browserSettings, way });
        onStarted(this.#foundOf(started));
        return started;
      } catch (error) {
        if (!(error instanceof PipeFailed)) throw error;
        // Another start at the same time may have recorded the failure of the same way already.
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

  #retire(browser: BrowserProcess | undefined): void {
    this.#warm = undefined;
    if (browser?.guests === 0) browser.end();
  }
}

function wordsOf(way: LaunchWay): string {
  const user = way.user === undefined ? '' : `as the user ${way.user.name}, `;
  return `${user}${way.hasSandbox ? 'with' : 'without'} its sandbox`;
}
