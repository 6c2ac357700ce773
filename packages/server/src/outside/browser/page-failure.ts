/** A page, or its browser, that went down or gave no answer in time. Nothing more can be asked of it. */
import type { TimeOfStep } from '@proofmark/domain';

export interface DownFacts {
  /** Nothing of the widget had come to the browser yet, so it was not the widget. */
  readonly isOurs: boolean;
  /** It was seen to end; without, it only gave no answer in time. */
  readonly hasEnded: boolean;
  /** Of the order that it went down under, where that is known. */
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
  /** What was lost so far, in which nobody could have answered: that much longer is waited, once the time is over. */
  readonly lostMs?: () => number;
  /** How much longer at most. */
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
    // What it comes to afterwards is nobody's business any more.
    work.catch(() => undefined);
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** A widget may load itself anew while it is asked something; then it is asked again. */
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
