/**
 * Thrown if a page or its browser crashed, or a page did not answer in time. No further orders are
 * sent to such a page.
 */
import type { TimeOfStep } from '@proofmark/domain';

export interface DownFacts {
  /**
   * Whether the fault is ours: for example, the widget's document had not reached the browser yet.
   */
  readonly isOurs: boolean;
  /** Whether the crash was observed. False if the page only did not answer in time. */
  readonly hasEnded: boolean;
  /**
   * How long the failed order took, and how much of that the browser could not run. Absent if not
   * measured.
   */
  readonly time?: TimeOfStep;
}

export class PageFailure extends Error implements DownFacts {
  readonly isOurs: boolean;
  readonly hasEnded: boolean;
  readonly time?: TimeOfStep;

  constructor(
    message: string,
    { isOurs = false, hasEnded = false, time }: Partial<DownFacts> = {},
  ) {
    super(message);
    this.isOurs = isOurs;
    this.hasEnded = hasEnded;
    if (time !== undefined) this.time = time;
  }
}

export interface AnsweredOptions {
  readonly sentence?: string;
  /**
   * Returns the total milliseconds so far in which the page could not run. Time lost during the
   * wait extends the deadline.
   */
  readonly lostMs?: () => number;
  /** The maximum extension of the deadline, in milliseconds. */
  readonly mostLostMs?: number;
}

/**
 * Returns the work's result, or throws a PageFailure after the time limit. Without a limit the wait
 * could be endless, because a widget in an endless loop blocks its page.
 */
export async function answered<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  {
    sentence = 'The page of the widget stopped answering.',
    lostMs = () => 0,
    mostLostMs = 0,
  }: AnsweredOptions = {},
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const lostBefore = lostMs();
  let givenMs = 0;
  const over = new Promise<never>((_, reject) => {
    const end = () => {
      const moreMs = Math.min(lostMs() - lostBefore, mostLostMs) - givenMs;
      if (moreMs < leastMoreMs) return reject(new PageFailure(sentence));
      givenMs += moreMs;
      timer = setTimeout(end, moreMs);
    };
    timer = setTimeout(end, timeoutMs);
  });
  try {
    // Ignores an error that occurs after the time limit.
    work.catch(() => undefined);
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Repeats the work if the widget reloaded itself during it. */
export async function overNavigations<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = mostNavigations; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      const isNavigation = /Execution context was destroyed/.test((error as Error).message);
      if (left === 0 || !isNavigation) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const mostNavigations = 20;
const leastMoreMs = 50;
