/** A kind of work, and the context of an attempt at it. */
import type { ClaimedWork, HeldWork } from './store/leased-work.ts';

export interface WorkKind {
  /** The maximum amount of work of this kind at a time in this process. */
  readonly atOnce: number;
  /** Does the work. Returns whether it was completed, or left because nothing new may begin. */
  run(work: ClaimedWork, attempt: WorkAttempt): Promise<'completed' | 'left'>;
}

export interface WorkAttempt {
  readonly held: HeldWork;
  /** Aborts when nothing new may begin: at a stop, or to free the slot for a dead worker's work. */
  readonly stopping: AbortSignal;
  /**
   * Returns whether there is room for further writes now. If not, the remaining work is returned.
   */
  mayBegin(): boolean;
  /** Aborts when running work must be left, because the time to stop is over. */
  readonly leaving: AbortSignal;
  /** Aborts when work must be left at once: the lease is lost, or the time to stop is over. */
  readonly signal: AbortSignal;
}

export interface WorkLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
