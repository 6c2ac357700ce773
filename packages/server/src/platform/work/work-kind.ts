/** A kind of work, and the context of an attempt at it. */
import type { ClaimedWork, HeldWork } from './store/leased-work.ts';

export interface WorkKind {
  /** The most work of this kind at a time in this process. */
  readonly atOnce: number;
  /** Returns whether the work was completed, or left because nothing new may begin. */
  run(work: ClaimedWork, attempt: WorkAttempt): Promise<'completed' | 'left'>;
}

export interface WorkAttempt {
  readonly held: HeldWork;
  /** Begin nothing new: the process stops, or the slot is needed for work of a dead worker. */
  readonly stopping: AbortSignal;
  /**
   * Returns whether there is room for further writes now. If not, the remaining work is returned.
   */
  mayBegin(): boolean;
  /** Leave: the time to stop is over. */
  readonly leaving: AbortSignal;
  /** Leave at once: the lease is lost, or the time to stop is over. */
  readonly signal: AbortSignal;
}

export interface WorkLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
