/**
 * Whether a widget had enough time for its step. Time in which our processes did not run, or waited
 * for the processor because of other programs, is not the widget's fault. A step that fails without
 * its full time says nothing about the widget.
 */
export interface TimeOfStep {
  readonly elapsedMs: number;
  /**
   * The time in which a process of the browser, or the process that controls the browser, did not
   * run.
   */
  readonly lostMs: number;
  /** The part of `lostMs` that the browser's own work did not cause. */
  readonly lostToOthersMs: number;
}

/** The largest share of a step's time that may be lost before the loss counts. */
const mostLost = 0.1;

export function hadItsTime(
  { elapsedMs, lostMs }: Pick<TimeOfStep, 'elapsedMs' | 'lostMs'>,
  withinMs: number,
): boolean {
  return lostMs <= mostLost * withinMs || elapsedMs - lostMs >= (1 - mostLost) * withinMs;
}

/** Returns how much a step may be extended, at most, to make up for time lost to other programs. */
export function mostGivenAgainMs(withinMs: number): number {
  return Math.min(3 * withinMs, 30_000);
}

/**
 * Returns the time lost to other programs. Time is attributed by processor use: a widget that keeps
 * the processor busy itself loses no time to others.
 */
export function lostToOthers(lostMs: number, ownCpuMs: number, allCpuMs: number): number {
  if (allCpuMs <= 0) return lostMs;
  const ownShare = Math.min(1, ownCpuMs / allCpuMs);
  return lostMs * (1 - ownShare);
}
