/** Renders widgets in a Chromium, which starts with the first widget. */
import {
  type BrowserFound,
  defaultWidgetMemoryMb,
  launchWays,
  type SandboxWish,
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
  /** The result of `findChromium`. */
  readonly chromium: { readonly path: string };
  /** The policy for requests to origins that a widget declares. */
  readonly egress: EgressPolicy;
  /** The most widgets that open at the same time; others wait for their turn. */
  readonly atOnce?: number;
  /** Milliseconds until an idle browser ends. */
  readonly idleMs?: number;
  /** Milliseconds that a page may take to answer a short question. */
  readonly answerMs?: number;
  /** Memory limit for all processes of one browser together. */
  readonly memoryBytes?: number;
  /** Whether to use the sandbox of the browser. */
  readonly sandbox?: SandboxWish;
  /** The name of the browser's user if the service is root. */
  readonly user?: string;
  /** Called for each started browser. */
  readonly onBrowser?: (found: BrowserFound) => void;
}

/** Open widgets wait for their next step and cost only memory. */
const mostOpen = 24;
/** A caller that keeps widgets open while it waits for another one could wait for itself. */
const longestWaitMs = 120_000;
/** A widget may be allowed minutes; other widgets wait for it no longer than this. */
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
  sandbox: wish = 'auto',
  user: userName = 'nobody',
  onBrowser = () => undefined,
}: WidgetRendererOptions): WidgetRenderer {
  const isRoot = process.getuid?.() === 0;
  const rooms = new BrowserProcesses({
    room: { chromium: chromium.path, answerMs, memoryBytes },
    ways: launchWays({ isRoot, wish, user: isRoot ? systemUser(userName) : undefined }),
    idleMs,
    wish,
    onStarted: onBrowser,
  });
  const browser = new RememberedBrowser(() => rooms.look());
  const open = new Semaphore(mostOpen);
  const beginning = new Semaphore(atOnce);
  const working = new Semaphore(orders);
  const guardedFetch = createGuardedFetch({ ...egress, ...requestBounds });
  const stage: WidgetStage = {
    rooms,
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
        const room = await rooms.warm().catch((error: unknown) => {
          giveBack();
          throw error;
        });
        const onAbort = () => void shown.close();
        const shown = new ShownWidget(stage, widget, record, room, () => {
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
    close: () => rooms.close(),
  };
}

/**
 * Starts the browser to find its facts, one at a time, and caches them for a while, so that
 * frequent callers start none.
 */
const foundMs = 5 * 60_000;

/** Short, so that a repair is noticed soon. */
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
