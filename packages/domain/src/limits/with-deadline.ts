/**
 * Rejects if the work takes too long. The work itself continues, but aborting `late` can tell it to
 * stop.
 */
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

/** The error for a time limit of work that involves only this service and its database. */
export class NotDoneInTime extends Error {
  constructor(deadlineMs: number) {
    super(`The work was not finished within ${deadlineMs} ms.`);
  }
}
