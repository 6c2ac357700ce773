/** Shows widgets in a Chromium, which is started when the first one comes. */
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
import { RememberedBrowser } from './remembered-browser.ts';
import { ShownWidget, type WidgetStage } from './shown-widget.ts';
import { systemUser } from './system-user.ts';
import { widgetNetwork } from './widget-network.ts';
import { WidgetRecord } from './widget-record.ts';
import { BrowserLost, type OpenWidget, type WidgetRenderer } from './widget-renderer.ts';

export interface WidgetRendererOptions {
  /** As `findChromium` found it. */
  readonly chromium: { readonly path: string };
  /** For what a widget declares that it asks for. */
  readonly egress: EgressPolicy;
  /** How many are brought up at the same time; others wait for their turn. */
  readonly atOnce?: number;
  /** How long a browser is kept that nobody uses. */
  readonly idleMs?: number;
  /** How long a page may leave a short question unanswered. */
  readonly answerMs?: number;
  /** What all processes of one browser may hold together. */
  readonly memoryBytes?: number;
  /** Whether it is shown without the sandbox of the browser. */
  readonly sandbox?: SandboxWish;
  /** The name of the user that the browser has where the service is root. */
  readonly user?: string;
  /** Told of each browser that was started. */
  readonly onBrowser?: (found: BrowserFound) => void;
}

/** Open ones wait for their next step and cost memory only. */
const mostOpen = 24;
/** Whoever keeps widgets open while waiting for another could wait for themselves. */
const longestWaitMs = 120_000;
/** A widget may be given minutes; those of others do not stand still for them. */
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
