import { setTimeout as after } from 'node:timers/promises';

/** Waits for the duration. If the signal aborts, rejects at once with its reason. */
export async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await after(durationMs, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
