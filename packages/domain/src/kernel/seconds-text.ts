/**
 * Formats a duration for people, rounded: `5.7 s`, `10 s`, or `40 ms` below a tenth of a second.
 */
export function secondsText(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')} s`;
}
