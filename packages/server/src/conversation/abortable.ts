/** What was begun, or the reason of the signal, whichever comes first. What was begun goes on. */
export async function abortable<Result>(
  begun: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted();
  let leave = () => undefined as undefined;
  const left = new Promise<never>((_, reject) => {
    leave = () => void reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([begun, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
