/** A page, or its browser, that went down or gave no answer in time. Nothing more can be asked of it. */
export class PageDown extends Error {
  /** Nothing of the widget had come to the browser yet, so it was not the widget. */
  readonly isOurs: boolean;

  constructor(message: string, { isOurs = false } = {}) {
    super(message);
    this.isOurs = isOurs;
  }
}

/** The work, or PageDown when it takes too long. The browser may never answer: a widget in an endless loop holds it up. */
export async function answered<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  sentence = 'The page of the widget stopped answering.',
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PageDown(sentence)), timeoutMs);
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
