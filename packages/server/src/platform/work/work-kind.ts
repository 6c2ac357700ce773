import type { ClaimedWork, HeldWork } from './store/leased-work.ts';

export interface WorkKind {
  readonly atOnce: number;
  /** Returns whether the work was completed, or left because no new step may begin. */
  run(work: ClaimedWork, attempt: WorkAttempt): Promise<'completed' | 'left'>;
}

export interface WorkAttempt {
  readonly held: HeldWork;
  /**
   * Aborts when no new step may begin: at a stop, or to free the slot for the work of a dead
   * worker.
   */
  readonly stopping: AbortSignal;
  /**
   * Returns whether the disk has room for further writes. If not, the remaining work is returned.
   */
  mayBegin(): boolean;
  /** Aborts when running work must be abandoned, because the time limit of a stop has passed. */
  readonly leaving: AbortSignal;
  /**
   * Aborts when work must be abandoned at once: the lease is lost, or the time limit of a stop has
   * passed.
   */
  readonly signal: AbortSignal;
}

export interface WorkLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
