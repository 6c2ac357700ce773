/**
 * Whether a run shows the state of its suite. A replay shows recorded data, and a run with an
 * overlay shows tools that no server lists. So neither counts as the latest run of its suite, and
 * neither is compared with other runs unless named. The statistics that distinguish change from
 * chance leave both out. Database queries use the same rule.
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
