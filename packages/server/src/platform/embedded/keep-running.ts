/**
 * Restarts PostgreSQL whenever it ends without being stopped by us: after a kill, a crash or a full
 * disk. It never gives up, since disk space may become free at any time. The pause between attempts
 * grows up to 2 seconds.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Postmaster, stopPostmaster } from './postmaster.ts';

export interface RunningPostmaster {
  stop(): Promise<void>;
}

const firstPauseMs = 100;
const longestPauseMs = 2_000;
const steadyAfterMs = 10_000;

export function keepRunning(
  first: Postmaster,
  startAgain: (signal: AbortSignal) => Promise<Postmaster>,
  notify: (sentence: string) => void,
): RunningPostmaster {
  const stopping = new AbortController();
  let current: Postmaster | undefined = first;
  let pauseMs = firstPauseMs;

  const watching = (async () => {
    while (current !== undefined) {
      const since = performance.now();
      await current.ended;
      current = undefined;
      if (stopping.signal.aborted) return;
      if (performance.now() - since > steadyAfterMs) pauseMs = firstPauseMs;
      notify('PostgreSQL ended unexpectedly and is started again.');
      current = await startUntilItStands();
      // PostgreSQL may have started after `stop` found no server, so the server is stopped here.
      if (stopping.signal.aborted && current !== undefined) await stopPostmaster(current);
    }
  })();

  async function startUntilItStands(): Promise<Postmaster | undefined> {
    let lastReason = '';
    while (!stopping.signal.aborted) {
      try {
        const started = await startAgain(stopping.signal);
        notify('PostgreSQL runs again.');
        return started;
      } catch (error) {
        const reason = (error as Error).message;
        if (reason !== lastReason && !stopping.signal.aborted) {
          notify(`PostgreSQL could not be started and will be tried again: ${reason}`);
        }
        lastReason = reason;
      }
      await wait(pauseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
    return undefined;
  }

  let stopped: Promise<void> | undefined;
  return {
    stop() {
      stopped ??= (async () => {
        stopping.abort();
        if (current !== undefined) await stopPostmaster(current);
        await watching;
      })();
      return stopped;
    },
  };
}
