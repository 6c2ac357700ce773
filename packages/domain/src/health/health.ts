/**
 * The time without a heartbeat after which a worker counts as silent: six missed heartbeats. A slow
 * worker would have sent one.
 */
export const silentAfterSeconds = 30;
/**
 * The time after which waiting work is a problem; a running worker claims waiting work within
 * seconds.
 */
export const longWaitSeconds = 300;
/** The minimum share of free disk space (0.1 is 10 %). With less, PostgreSQL may soon stop. */
export const leastFreeShare = 0.1;

export interface InstallationFacts {
  readonly workers: readonly { readonly secondsSinceBeat: number }[];
  readonly work: readonly { readonly waiting: number; readonly longestWaitSeconds: number }[];
  readonly disk: {
    readonly freeBytes: number;
    readonly totalBytes: number;
    readonly refusesWrites: boolean;
  } | null;
  /** The browser that renders widgets, as found by starting it; absent if there is none. */
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
