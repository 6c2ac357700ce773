/**
 * Returns the result, or rejects with the signal's reason if the signal aborts first. The work
 * itself continues.
 */
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
