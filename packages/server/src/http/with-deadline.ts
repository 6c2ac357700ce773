/** The outcome of the work, or a failure when it takes too long. The work itself is not stopped. */
export async function withDeadline<Result>(
  work: Promise<Result>,
  deadlineMs: number,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not done after ${deadlineMs} ms.`)), deadlineMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
