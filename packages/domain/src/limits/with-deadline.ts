/** The outcome of the work, or a failure when it takes too long. The work itself is not stopped, but may be told. */
export function withDeadline<Result>(
  work: Promise<Result>,
  deadlineMs: number,
  late?: AbortController,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new NotDoneInTime(deadlineMs);
      late?.abort(error);
      reject(error);
    }, deadlineMs);
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

/** Of work that this service and its database alone take part in. */
export class NotDoneInTime extends Error {
  constructor(deadlineMs: number) {
    super(`Not done after ${deadlineMs} ms.`);
  }
}
