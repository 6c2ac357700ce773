/**
 * Whether a run shows the state of its suite. A replay shows recorded data, and a run with an
 * overlay shows tools that no server lists. Neither is compared with another run unless it is
 * named, is the latest run of its suite, or counts where runs are counted to distinguish change
 * from chance. Database queries use the same rule.
 */
export function countsForSuite({
  replay,
  overlay,
}: {
  readonly replay?: unknown;
  readonly overlay?: unknown;
}): boolean {
  return (replay ?? overlay ?? undefined) === undefined;
}
