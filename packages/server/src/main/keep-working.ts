/**
 * Runs the parts of the service and stops them when a restore asks for the database. They are
 * started again after the restore, so that nothing cached from the old data remains.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { DataLockOptions } from '../platform/database/data-lock.ts';
import type { Log } from '../platform/http/http-options.ts';

export interface Parts {
  stop(): Promise<void>;
}

export interface KeepWorkingOptions<Started extends Parts> {
  readonly log: Log;
  /** Starts the parts. Waits as long as a restore locks the data. */
  start(lockOptions: Omit<DataLockOptions, 'url'>): Promise<Started>;
  /**
   * Called before the parts stop for a restore. From then on, the callee must not begin new work.
   */
  pause?(): Promise<void>;
  /** Called with the running parts after every start, including the first. */
  resume?(parts: Started): void;
}

export interface KeptWorking<Started extends Parts> {
  readonly first: Started;
  /** Returns the running parts, or undefined during a restore. */
  current(): Started | undefined;
  /** Prevents further restarts. Running parts continue. */
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
        // A restore may ask for the database while the parts are starting. It then waits for the
        // start to end. A failed start releases the data lock itself.
        if (!signal.aborted) changing = started.then(letGoAndGoOn, () => undefined);
      },
      waits: () => log.warn({}, 'a restore is in progress; waiting for its end'),
    });
    const parts = await started;
    working = parts;
    options.resume?.(parts);
    return parts;
  };
  const letGoAndGoOn = async () => {
    log.warn({}, 'releasing the data for a restore');
    const parts = working;
    await options.pause?.();
    working = undefined;
    await parts?.stop().catch((error: unknown) => {
      log.error({ err: error }, 'something could not be stopped for a restore');
    });
    while (!signal.aborted) {
      try {
        await start();
        log.warn({}, 'the restore has ended, and work continues');
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.error(
          { err: error },
          'work could not be started after a restore and will be tried again',
        );
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
