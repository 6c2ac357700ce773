import { setTimeout as after } from 'node:timers/promises';

/** Waits; rejects at once with the reason of the signal when it is aborted. */
export async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await after(durationMs, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
