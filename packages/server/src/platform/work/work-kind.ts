/** What a kind of work says of itself, and what an attempt at it is given. */
import type { ClaimedWork, HeldWork } from './store/leased-work.ts';

export interface WorkKind {
  /** How many this process does at a time. */
  readonly atOnce: number;
  /** Says whether the work was completed, or left because it was told to begin nothing new. */
  run(work: ClaimedWork, attempt: WorkAttempt): Promise<'completed' | 'left'>;
}

export interface WorkAttempt {
  readonly held: HeldWork;
  /** Begin nothing new: the process stops, or the slot is needed for what a dead worker left. */
  readonly stopping: AbortSignal;
  /** Whether there is room for what more would write now. Where there is none, what is left is given back. */
  mayBegin(): boolean;
  /** The process leaves: the time to stop is over. */
  readonly leaving: AbortSignal;
  /** Leave at once: the lease is lost, or the time to stop is over. */
  readonly signal: AbortSignal;
}

export interface WorkLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
