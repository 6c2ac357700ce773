/**
 * Works on the data for as long as nobody wants to restore it. When somebody does, everything that works is stopped,
 * which lets go of the data, and started anew when the restore is over: nothing that was remembered of the data before
 * it is there any more.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { DataLockOptions } from '../platform/database/data-lock.ts';
import type { Log } from '../platform/http/http-options.ts';

export interface Parts {
  stop(): Promise<void>;
}

export interface KeepWorkingOptions<Started extends Parts> {
  readonly log: Log;
  /** Waits while the data is not to be had. */
  start(heard: Omit<DataLockOptions, 'url'>): Promise<Started>;
  /** Before the parts are stopped for a restore; nothing new is begun from then on. */
  pause?(): Promise<void>;
  /** With what works now, at the first start too. */
  resume?(parts: Started): void;
}

export interface KeptWorking<Started extends Parts> {
  /** What was started first. */
  readonly first: Started;
  /** What works now; nothing during a restore. */
  current(): Started | undefined;
  /** Nothing is started from then on; what works goes on. */
  settle(): Promise<void>;
}

const betweenStartsMs = 1000;

export async function keepWorking<Started extends Parts>(
  options: KeepWorkingOptions<Started>,
): Promise<KeptWorking<Started>> {
  const { log } = options;
  const ending = new AbortController();
  const { signal } = ending;
  let working: Started | undefined;
  let changing = Promise.resolve();
  const start = async (): Promise<Started> => {
    const started = options.start({
      signal,
      asked() {
        // One that comes while parts still start waits for them; those that fail let go by themselves.
        if (!signal.aborted) changing = started.then(letGoAndGoOn, () => undefined);
      },
      waits: () => log.warn({}, 'a restore is under way, and its end is waited for'),
    });
    const parts = await started;
    working = parts;
    options.resume?.(parts);
    return parts;
  };
  const letGoAndGoOn = async () => {
    log.warn({}, 'the data is let go of for a restore');
    const parts = working;
    await options.pause?.();
    working = undefined;
    await parts?.stop().catch((error: unknown) => {
      log.error({ err: error }, 'something could not be stopped for a restore');
    });
    while (!signal.aborted) {
      try {
        await start();
        log.warn({}, 'the restore is over, and work goes on');
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error }, 'work could not be begun after a restore and is tried again');
      }
      await pause(betweenStartsMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const first = await start();
  return {
    first,
    current: () => working,
    async settle() {
      ending.abort();
      await changing;
    },
  };
}
