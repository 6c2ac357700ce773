/** The one answer about the installation, over HTTP and at the operator's terminal. */
import { type Health, version } from '@proofmark/contract';
import { browserWarnings, isSilent, problemsOf } from '@proofmark/domain';
import type { WidgetsHere } from '../../browser/widgets-here.ts';
import type { InstallationLoad } from '../../storage/health/read-load.ts';

/** Room on the disk of the data directory; unknown where there is none. */
export type DiskRoom = Health['disk'];

/** Starts the browser that shows widgets, unless it was started a short while ago. */
export async function presentHealth(
  load: InstallationLoad,
  disk: DiskRoom,
  widgets: WidgetsHere | undefined,
  waitMs = longestWaitMs,
): Promise<Health> {
  const browser = await presentBrowser(widgets, waitMs);
  return {
    version,
    problems: problemsOf({ ...load, disk, ...(browser.facts && { browser: browser.facts }) }),
    database: { version: load.databaseVersion, sizeBytes: load.databaseBytes },
    openRuns: { launched: load.launchedRuns, reported: load.reportedRuns },
    work: load.work.map((work) => ({ ...work })),
    workers: load.workers.map((worker) => ({
      host: worker.host,
      processId: worker.processId,
      version: worker.version,
      trialsAtOnce: worker.trialsAtOnce,
      startedAt: worker.startedAt.getTime(),
      lastBeatAt: worker.beatAt.getTime(),
      secondsSinceBeat: worker.secondsSinceBeat,
      silent: isSilent(worker),
    })),
    disk,
    widgets: browser.shown,
  };
}

/** Whoever asks over HTTP has an answer before its deadline; the browser is then known to who asks again. */
const longestWaitMs = 3000;

async function presentBrowser(
  widgets: WidgetsHere = { missing: 'No browser shows widgets here.' },
  waitMs: number,
): Promise<{
  readonly shown: Health['widgets'];
  readonly facts?: { readonly started: boolean; readonly sandboxed: boolean };
}> {
  const none = { testable: false, browser: null, warnings: [] };
  if ('missing' in widgets) return { shown: { ...none, reason: widgets.missing } };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs);
  });
  const state = await Promise.race([widgets.browser(), late]);
  clearTimeout(timer);
  if (state === undefined) return { shown: { ...none, reason: stillStarting } };
  if ('missing' in state) {
    const facts = { started: false, sandboxed: false };
    return { shown: { ...none, reason: state.missing }, facts };
  }
  const { failedBefore: _, ...browser } = state.found;
  return {
    shown: { testable: true, reason: null, browser, warnings: [...browserWarnings(state.found)] },
    facts: { started: true, sandboxed: browser.sandboxed },
  };
}

const stillStarting =
  'The browser for widgets is being started for a check; try again in a moment.';
