/**
 * Reads the health of the installation for the operator's terminal. Workers render widgets, so the
 * command asks a worker for its browser. Without a living worker, the command itself starts a
 * browser, to examine what a service with these settings would have.
 */
import type { Health } from '@proofmark/contract';
import { isSilent } from '@proofmark/domain';
import { type BrowserLook, lookAtBrowser } from '../features/health/operations/look-at-browser.ts';
import { presentHealth } from '../features/health/operations/present-health.ts';
import { isBrowserOfWorker, worstBrowser } from '../features/health/operations/worst-browser.ts';
import { askWorkers } from '../features/health/store/ask-workers.ts';
import { readInstallationLoad } from '../features/health/store/read-installation-load.ts';
import { freeDiskSpace } from './free-disk-space.ts';
import type { Settings } from './settings.ts';
import { closeWidgets, widgetsOfSettings } from './widgets-of-settings.ts';
import { withOperatorStore } from './with-operator-store.ts';

/** The time limit for starting a browser here. Long enough for trying every way of starting it. */
const longestStartMs = 120_000;
/** The time limit for a worker's answer. A worker starts its browser before it answers. */
const longestAnswerMs = 30_000;
/** The time after which the command says that it waits. Most answers arrive earlier. */
const quietMs = 2_000;

export async function readHealth(
  settings: Settings,
  notify: (sentence: string) => void,
): Promise<Health> {
  return withOperatorStore(settings, notify, async ({ owner, url }) => {
    const load = await readInstallationLoad(owner);
    const living = load.workers.filter((worker) => !isSilent(worker)).length;
    const { look, foundBy } =
      living === 0 ? await browserHere(settings) : await browserOfWorkers(url, living, notify);
    return presentHealth(load, await freeDiskSpace(settings), look, foundBy);
  });
}

async function browserOfWorkers(url: string, workers: number, notify: (sentence: string) => void) {
  const waiting = setTimeout(() => notify(waitNotice), quietMs);
  const answers = await askWorkers(url, workers, longestAnswerMs).finally(() =>
    clearTimeout(waiting),
  );
  const worst = worstBrowser(answers.filter(isBrowserOfWorker));
  if (worst !== undefined) return worst;
  const reason = 'No worker reported its browser; try again in a moment.';
  const look: BrowserLook = {
    shown: { testable: false, reason, browser: null, warnings: [] },
  };
  return { look, foundBy: 'this command, because no worker answered' };
}

const waitNotice = `Waiting for the workers to start their browsers, for at most ${longestAnswerMs / 1000} s.`;

async function browserHere(settings: Settings) {
  // The browser may call no servers, because it is only examined and fetches nothing.
  const widgets = widgetsOfSettings(settings, { allowLoopback: false, allowedPrivateHosts: [] });
  try {
    const look = await lookAtBrowser(widgets, longestStartMs);
    return { look, foundBy: 'this command, because no worker is alive' };
  } finally {
    await closeWidgets(widgets);
  }
}
