/**
 * A signal that aborts as soon as one of its source signals aborts; `letGo` ends that.
 * `AbortSignal.any` is not used, since it leaves an entry in each source signal forever (Node 20).
 * In a signal that lives as long as the process, every piece of work would leak memory.
 */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  letGo(): void;
}

export function joinedSignal(others: readonly AbortSignal[]): JoinedSignal {
  const joined = new AbortController();
  const listeners = others.map((one) => ({ one, onAbort: () => joined.abort(one.reason) }));
  for (const { one, onAbort } of listeners) {
    if (one.aborted) onAbort();
    else one.addEventListener('abort', onAbort, { once: true });
  }
  return {
    signal: joined.signal,
    letGo() {
      for (const { one, onAbort } of listeners) one.removeEventListener('abort', onAbort);
    },
  };
}
