/** The problems of an installation, derived from its facts: the worst first. */

/** Six missed beats; a worker that is only slow has sent one by then. */
export const silentAfterSeconds = 30;
/** A living worker claims waiting work within seconds. */
export const longWaitSeconds = 300;
/** Below this share of free disk space, PostgreSQL may soon stop. */
export const leastFreeShare = 0.1;

export interface InstallationFacts {
  readonly workers: readonly { readonly secondsSinceBeat: number }[];
  readonly work: readonly { readonly waiting: number; readonly longestWaitSeconds: number }[];
  readonly disk: {
    readonly freeBytes: number;
    readonly totalBytes: number;
    readonly refusesWrites: boolean;
  } | null;
  /** The browser that renders widgets, as checked by starting it; absent if there is none. */
  readonly browser?: { readonly started: boolean; readonly sandboxed: boolean };
}

export const healthProblems = [
  'writesRefused',
  'noWorker',
  'workWaits',
  'silentWorker',
  'diskNearlyFull',
  'browserNotStarted',
  'browserUnsandboxed',
] as const;
export type HealthProblem = (typeof healthProblems)[number];

export function isSilent({ secondsSinceBeat }: { readonly secondsSinceBeat: number }): boolean {
  return secondsSinceBeat > silentAfterSeconds;
}

export function problemsOf({ workers, work, disk, browser }: InstallationFacts): HealthProblem[] {
  const has: Readonly<Record<HealthProblem, boolean>> = {
    writesRefused: disk?.refusesWrites === true,
    noWorker: workers.every(isSilent),
    workWaits: work.some(({ longestWaitSeconds }) => longestWaitSeconds > longWaitSeconds),
    silentWorker: workers.some(isSilent),
    diskNearlyFull: disk !== null && disk.freeBytes < disk.totalBytes * leastFreeShare,
    browserNotStarted: browser?.started === false,
    browserUnsandboxed: browser?.started === true && !browser.sandboxed,
  };
  return healthProblems.filter((problem) => has[problem]);
}
