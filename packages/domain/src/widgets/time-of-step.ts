/**
 * Decides whether a widget had enough time for its step. Time in which the browser's processes did
 * not run, or waited for the CPU because of other programs, is not the widget's fault. A step that
 * fails without its full time proves nothing about the widget.
 */
export interface TimeOfStep {
  readonly elapsedMs: number;
  /** The time in which a process of the browser, or the process that controls it, did not run. */
  readonly lostMs: number;
  /** The part of `lostMs` that was caused by other programs, not by the browser's own work. */
  readonly lostToOthersMs: number;
}

/**
 * The largest share of a step's time that may be lost. If more is lost, the step did not have its
 * full time.
 */
const mostLost = 0.1;

export function hadItsTime(
  { elapsedMs, lostMs }: Pick<TimeOfStep, 'elapsedMs' | 'lostMs'>,
  withinMs: number,
): boolean {
  return lostMs <= mostLost * withinMs || elapsedMs - lostMs >= (1 - mostLost) * withinMs;
}

/** The most by which a step may be extended to make up for time lost to other programs. */
export function mostGivenAgainMs(withinMs: number): number {
  return Math.min(3 * withinMs, 30_000);
}

/**
 * Returns the part of the lost time that other programs caused: the share of the CPU time that the
 * browser did not use. A widget that keeps the processor busy itself loses no time to other
 * programs.
 */
export function lostToOthers(lostMs: number, ownCpuMs: number, allCpuMs: number): number {
  if (allCpuMs <= 0) return lostMs;
  const ownShare = Math.min(1, ownCpuMs / allCpuMs);
  return lostMs * (1 - ownShare);
}
