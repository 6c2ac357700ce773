/**
 * Decides whether a test that starts its own service needs a database. A database is needed only to
 * store runs or to compare a run with an earlier one.
 */

export interface TestToRun {
  readonly flags: {
    readonly ephemeral?: true | undefined;
    readonly keep?: true | undefined;
    readonly watch?: true | undefined;
    readonly project?: string | undefined;
  };
  /** Whether a flag, the environment or a settings file names the data directory. */
  readonly namesData: boolean;
  readonly hasData: boolean;
  /** The suite ids as written in the suite files. */
  readonly suites: readonly string[];
  /** The reason why the settings need a database, if they do. */
  readonly ofSettings: string | undefined;
}

/** Returns the reason for a database, or undefined if a test in memory suffices. */
export function whyDatabase({
  flags,
  namesData,
  hasData,
  suites,
  ofSettings,
}: TestToRun): string | undefined {
  if (flags.keep) return 'The flag --keep stores the runs.';
  if (!flags.ephemeral && namesData) return 'The named data directory stores the runs.';
  if (!flags.ephemeral && hasData) return 'The data directory of this folder stores its runs.';
  if (flags.watch) return 'Each run of a watched suite is compared with the one before.';
  if (new Set(suites).size < suites.length)
    return 'The second run of a suite is compared with the first.';
  if (flags.project !== undefined) return 'Only a service has the named project.';
  return ofSettings;
}
