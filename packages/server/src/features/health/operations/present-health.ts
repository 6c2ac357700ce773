import { type Health, version } from '@proofmark/contract';
import { isSilent, problemsOf } from '@proofmark/domain';
import type { InstallationLoad } from '../store/read-installation-load.ts';
import type { BrowserLook } from './look-at-browser.ts';

/** The free space on the disk of the data directory; unknown without a data directory. */
export type DiskHealth = Health['disk'];

export function presentHealth(
  load: InstallationLoad,
  disk: DiskHealth,
  { shown, facts }: BrowserLook,
  /** The name of the process whose browser is described. */
  foundBy: string,
): Health {
  return {
    version,
    problems: problemsOf({ ...load, disk, ...(facts && { browser: facts }) }),
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
    widgets: { ...shown, foundBy },
  };
}
