/**
 * Whether a run tells how its suite does. A replay tells of what was recorded, and a run under an overlay of tools that no
 * server lists: neither is what another run is compared with unless it is named, nor the latest run of its suite, nor
 * counted where runs are counted to tell chance from change. What is asked of the database is asked by the same rule.
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
