/** A page, or its browser, that went down or did not answer in time. It takes no further orders. */
import type { TimeOfStep } from '@proofmark/domain';

export interface DownFacts {
  /** The widget's document had not reached the browser yet, so the widget is not the cause. */
  readonly isOurs: boolean;
  /** True if its end was observed; otherwise it only did not answer in time. */
  readonly hasEnded: boolean;
  /** The time of the order under which it went down, if known. */
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
   * Returns the lost time so far, in which nothing could have answered. After the deadline, the
   * wait is extended by it.
   */
  readonly lostMs?: () => number;
  /** The most milliseconds of the extension. */
  readonly mostLostMs?: number;
}

/** The work, or a PageFailure when it takes too long. The browser may never answer: a widget in an endless loop holds it up. */
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
    // A later rejection is ignored.
    work.catch(() => undefined);
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Repeats the work if the widget reloads itself meanwhile. */
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
