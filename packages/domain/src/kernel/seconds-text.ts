/**
 * Returns a rounded duration for people: `5.7 s`, `10 s`, and below a tenth of a second `40 ms`.
 */
export function secondsText(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')} s`;
}
