/** Whether a test that starts its own service needs a database for it: where history is asked for, or something is counted. */

export interface TestToRun {
  readonly flags: {
    readonly ephemeral?: true | undefined;
    readonly keep?: true | undefined;
    readonly watch?: true | undefined;
    readonly project?: string | undefined;
  };
  /** Whether a flag, the environment or a file of settings names the data directory. */
  readonly namesData: boolean;
  /** Whether the data directory is there. */
  readonly hasData: boolean;
  /** The ids of the suites, in their files. */
  readonly suites: readonly string[];
  /** Why the settings need one. */
  readonly ofSettings: string | undefined;
}

/** One sentence; nothing where memory does. */
export function whyDatabase({
  flags,
  namesData,
  hasData,
  suites,
  ofSettings,
}: TestToRun): string | undefined {
  if (flags.keep) return 'The runs are to be kept.';
  if (!flags.ephemeral && namesData) return 'A data directory is named, which keeps the runs.';
  if (!flags.ephemeral && hasData) return 'The data directory of this folder keeps its runs.';
  if (flags.watch) return 'Each run of a watched suite is compared with the one before.';
  if (new Set(suites).size < suites.length)
    return 'The second run of a suite is compared with the first.';
  if (flags.project !== undefined) return 'A project is named, which only a service has.';
  return ofSettings;
}
