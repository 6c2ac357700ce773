import { setTimeout as after } from 'node:timers/promises';

export async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await after(durationMs, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
