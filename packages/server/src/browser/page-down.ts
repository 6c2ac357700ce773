/** A page, or its browser, that went down or gave no answer in time. Nothing more can be asked of it. */
export class PageDown extends Error {}

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
