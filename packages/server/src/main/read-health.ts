/**
 * How the installation is, at the operator's terminal. Widgets are shown by the workers, so they are asked which browser
 * they have; only where none lives is one started here, to see what a service of these settings would have.
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

/** More than a browser takes that is tried in every way. */
const longestStartMs = 120_000;
/** A worker starts its browser for the answer. */
const longestAnswerMs = 30_000;
/** Most answers come before this, and then nothing is said of the wait. */
const quietMs = 2_000;

export async function readHealth(
  settings: Settings,
  say: (sentence: string) => void,
): Promise<Health> {
  return withOperatorStore(settings, say, async ({ owner, url }) => {
    const load = await readInstallationLoad(owner);
    const living = load.workers.filter((worker) => !isSilent(worker)).length;
    const { look, foundBy } =
      living === 0 ? await browserHere(settings) : await browserOfWorkers(url, living, say);
    return presentHealth(load, await freeDiskSpace(settings), look, foundBy);
  });
}

async function browserOfWorkers(url: string, workers: number, say: (sentence: string) => void) {
  const waiting = setTimeout(() => say(waitNotice), quietMs);
  const answers = await askWorkers(url, workers, longestAnswerMs).finally(() =>
    clearTimeout(waiting),
  );
  const worst = worstBrowser(answers.filter(isBrowserOfWorker));
  if (worst !== undefined) return worst;
  const reason = 'Which browser the workers have is not known; ask again in a moment.';
  const look: BrowserLook = {
    shown: { testable: false, reason, browser: null, warnings: [] },
  };
  return { look, foundBy: 'this command, since no worker answered' };
}

const waitNotice = `Waiting for the workers to start their browsers, for at most ${longestAnswerMs / 1000} s.`;

async function browserHere(settings: Settings) {
  // Nothing is fetched by it: the browser is only started to see what it is.
  const widgets = widgetsOfSettings(settings, { allowLoopback: false, allowedPrivateHosts: [] });
  try {
    const look = await lookAtBrowser(widgets, longestStartMs);
    return { look, foundBy: 'this command, since no worker is alive' };
  } finally {
    await closeWidgets(widgets);
  }
}
