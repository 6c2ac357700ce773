/**
 * A signal that is aborted as soon as one of others is, until it is let go of. `AbortSignal.any` leaves an entry behind in
 * each of its signals for ever (Node 20): in one that lives as long as the process, that is memory lost with every piece of
 * work.
 */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Nothing is heard any more, and the others know nothing of it. */
  letGo(): void;
}

export function joinedSignal(others: readonly AbortSignal[]): JoinedSignal {
  const joined = new AbortController();
  const hearing = others.map((one) => ({ one, hear: () => joined.abort(one.reason) }));
  for (const { one, hear } of hearing) {
    if (one.aborted) hear();
    else one.addEventListener('abort', hear, { once: true });
  }
  return {
    signal: joined.signal,
    letGo() {
      for (const { one, hear } of hearing) one.removeEventListener('abort', hear);
    },
  };
}
