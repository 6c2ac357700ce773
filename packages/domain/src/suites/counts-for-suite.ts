/**
 * Returns whether a run shows the state of its suite. A replay shows recorded data, and a run with
 * an overlay (changed tool definitions) shows tools that no server lists. Neither counts as the
 * suite's latest run or enters its statistics. Database queries must use the same rule.
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
