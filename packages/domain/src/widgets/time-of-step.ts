/**
 * Whether a widget had the time of its step. Time in which our processes stood still, or wanted the processor and did not
 * get it because of others, is no time of a widget: a step that fails without its time says nothing of the widget.
 */
export interface TimeOfStep {
  readonly elapsedMs: number;
  /** In which a process of the browser, or the one that leads it, did not go on. */
  readonly lostMs: number;
  /** What of that was not brought about by the browser's own work. */
  readonly lostToOthersMs: number;
}

/** This part of its time may be lost. */
const mostLost = 0.1;

export function hadItsTime(
  { elapsedMs, lostMs }: Pick<TimeOfStep, 'elapsedMs' | 'lostMs'>,
  withinMs: number,
): boolean {
  return lostMs <= mostLost * withinMs || elapsedMs - lostMs >= (1 - mostLost) * withinMs;
}

/** How much longer a step is waited for than its own time: for what it lost to others, in bounds. */
export function mostGivenAgainMs(withinMs: number): number {
  return Math.min(3 * withinMs, 30_000);
}

/** What the work of the browser itself took from the processor is its own: widgets that keep it busy lose nothing to others. */
export function lostToOthers(lostMs: number, ownCpuMs: number, allCpuMs: number): number {
  if (allCpuMs <= 0) return lostMs;
  const ownShare = Math.min(1, ownCpuMs / allCpuMs);
  return lostMs * (1 - ownShare);
}
