/**
 * Whether a widget got the time of its step. Time in which our processes stood still, or waited for
 * the processor because of others, does not count as the widget's: a step that fails without its
 * full time says nothing about the widget.
 */
export interface TimeOfStep {
  readonly elapsedMs: number;
  /** Time in which a process of the browser, or the process that controls it, did not run. */
  readonly lostMs: number;
  /** The part of it that the browser's own work did not cause. */
  readonly lostToOthersMs: number;
}

/** The share of a step's time that may be lost. */
const mostLost = 0.1;

export function hadItsTime(
  { elapsedMs, lostMs }: Pick<TimeOfStep, 'elapsedMs' | 'lostMs'>,
  withinMs: number,
): boolean {
  return lostMs <= mostLost * withinMs || elapsedMs - lostMs >= (1 - mostLost) * withinMs;
}

/**
 * Returns how much longer than its own time a step may take, to make up for time lost to others.
 */
export function mostGivenAgainMs(withinMs: number): number {
  return Math.min(3 * withinMs, 30_000);
}

/**
 * Returns the time lost to others. Processor time that the browser itself used counts as its own:
 * widgets that keep it busy lose nothing to others.
 */
export function lostToOthers(lostMs: number, ownCpuMs: number, allCpuMs: number): number {
  if (allCpuMs <= 0) return lostMs;
  const ownShare = Math.min(1, ownCpuMs / allCpuMs);
  return lostMs * (1 - ownShare);
}
