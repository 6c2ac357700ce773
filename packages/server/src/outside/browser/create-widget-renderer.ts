import {
  type BrowserFound,
  defaultWidgetMemoryMb,
  launchWays,
  type SandboxChoice,
  Semaphore,
} from '@proofmark/domain';
import type { EgressPolicy } from '../egress/address-policy.ts';
import { createGuardedFetch } from '../egress/guarded-fetch.ts';
import { BrowserProcesses } from './browser-processes.ts';
import { ShownWidget, type WidgetStage } from './shown-widget.ts';
import { systemUser } from './system-user.ts';
import { widgetNetwork } from './widget-network.ts';
import { WidgetRecord } from './widget-record.ts';
import {
  BrowserLost,
  type BrowserState,
  type OpenWidget,
  type WidgetRenderer,
} from './widget-renderer.ts';

export interface WidgetRendererOptions {
  readonly chromium: { readonly path: string };
  /** The policy for requests to the origins that a widget declares. */
  readonly egress: EgressPolicy;
  /** The maximum number of widgets that may be opening at the same time. Further ones wait. */
  readonly atOnce?: number;
  /** The milliseconds after which an idle browser ends. */
  readonly idleMs?: number;
  /**
   * The milliseconds that a page has to answer a short request. A page that takes longer counts as
   * hung.
   */
  readonly answerMs?: number;
  /** The memory limit for all processes of one browser together, in bytes. */
  readonly memoryBytes?: number;
  readonly sandbox?: SandboxChoice;
  /** The name of the user that runs the browser if the service runs as root. */
  readonly user?: string;
  readonly onBrowser?: (found: BrowserFound) => void;
}

/**
 * The maximum number of open widgets. It is higher than `atOnce`, because a widget that is open and
 * idle uses only memory.
 */
const mostOpen = 24;
/**
 * The time limit for waiting until a widget may open. Without it, a caller that keeps widgets open
 * while it waits for another could wait for itself forever.
 */
const longestWaitMs = 120_000;
/**
 * A widget that is rendered alone may take minutes, but other widgets wait for it only this long.
 */
const longestAloneMs = 30_000;
const orders = 1_000_000;
const requestBounds = { deadlineMs: 15_000, maxResponseBytes: 4 * 1024 * 1024 };

export function createWidgetRenderer({
  chromium,
  egress,
  atOnce = 4,
  idleMs = 60_000,
  answerMs = 5_000,
  memoryBytes = defaultWidgetMemoryMb * 1024 * 1024,
  sandbox = 'auto',
  user: userName = 'nobody',
  onBrowser = () => undefined,
}: WidgetRendererOptions): WidgetRenderer {
  const isRoot = process.getuid?.() === 0;
  const processes = new BrowserProcesses({
    browserSettings: { chromium: chromium.path, answerMs, memoryBytes },
    ways: launchWays({ isRoot, sandbox, user: isRoot ? systemUser(userName) : undefined }),
    idleMs,
    sandbox,
    onStarted: onBrowser,
  });
  const browser = new RememberedBrowser(() => processes.look());
  const open = new Semaphore(mostOpen);
  const beginning = new Semaphore(atOnce);
  const working = new Semaphore(orders);
  const guardedFetch = createGuardedFetch({ ...egress, ...requestBounds });
  const stage: WidgetStage = {
    processes,
    answerMs,
    together: (work) => working.run('', work),
    alone: async (work) => {
      const goOn = await working.acquire('', { count: orders });
      const timer = setTimeout(goOn, longestAloneMs);
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        goOn();
      }
    },
  };
  const place = (signal: AbortSignal) => {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]);
    return open.acquire('', { signal: bounded }).catch(() => {
      signal.throwIfAborted();
      throw new BrowserLost('Too many widgets were open at the same time; try again later.');
    });
  };
  return {
    async open(widget, host, signal): Promise<OpenWidget> {
      signal.throwIfAborted();
      const giveBack = await place(signal);
      const network = widgetNetwork(widget.origins, guardedFetch, signal, (sentence) =>
        host.requestRefused?.(sentence),
      );
      const record = new WidgetRecord(host, network);
      const show = async () => {
        const browserProcess = await processes.warm().catch((error: unknown) => {
          giveBack();
          throw error;
        });
        const onAbort = () => void shown.close();
        const shown = new ShownWidget(stage, widget, record, browserProcess, () => {
          signal.removeEventListener('abort', onAbort);
          giveBack();
        });
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) onAbort();
        try {
          await shown.show();
          signal.throwIfAborted();
          return shown;
        } catch (error) {
          await shown.close();
          signal.throwIfAborted();
          throw error;
        }
      };
      return beginning.run('', show, { signal }).catch((error: unknown) => {
        giveBack();
        throw error;
      });
    },
    browser: () => browser.state(),
    close: () => processes.close(),
  };
}

/**
 * How long the description of a working browser is cached, so that frequent callers do not start a
 * browser each time.
 */
const foundMs = 5 * 60_000;

/** How long the result that no browser works is cached; short, so that a repair is noticed soon. */
const missingMs = 15_000;

class RememberedBrowser {
  readonly #look: () => Promise<BrowserFound>;
  readonly #nowMs: () => number;
  #state: { readonly state: Promise<BrowserState>; untilMs: number } | undefined;

  constructor(look: () => Promise<BrowserFound>, nowMs: () => number = () => performance.now()) {
    this.#look = look;
    this.#nowMs = nowMs;
  }

  state(): Promise<BrowserState> {
    const known = this.#state;
    if (known !== undefined && this.#nowMs() < known.untilMs) return known.state;
    const state = this.#look().then(
      (found): BrowserState => ({ found }),
      (error: unknown): BrowserState => {
        if (error instanceof BrowserLost) return { missing: error.message };
        throw error;
      },
    );
    const remembered = { state, untilMs: Number.POSITIVE_INFINITY };
    this.#state = remembered;
    state.then(
      (one) => {
        remembered.untilMs = this.#nowMs() + ('found' in one ? foundMs : missingMs);
      },
      () => {
        this.#state = undefined;
      },
    );
    return state;
  }
}
