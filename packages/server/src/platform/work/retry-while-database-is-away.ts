/**
 * Retries while the database is only unreachable: a cut connection, a server that stops or starts,
 * a full disk. An error about the data itself would recur, so it is thrown.
 */
import { pause } from '../database/pause.ts';

const betweenTriesMs = 200;

export async function retryWhileDatabaseIsAway<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    await pause(betweenTriesMs, signal);
  }
}

export function isPassing(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') return false;
  return /^(08|53|57P|25006|25P03|40)/.test(code) || /^(CONNECT|CONNECTION_|E[A-Z]+$)/.test(code);
}
