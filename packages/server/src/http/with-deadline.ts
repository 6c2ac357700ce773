/** The outcome of the work, or a failure when it takes too long. The work itself is not stopped. */
export function withDeadline<Result>(work: Promise<Result>, deadlineMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`Not done after ${deadlineMs} ms.`)),
      deadlineMs,
    );
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
