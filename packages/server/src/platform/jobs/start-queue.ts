/**
 * Runs durable jobs on the same PostgreSQL. The end of each job is written before `stop` returns;
 * otherwise a finished job would stay locked and run again hours later. If the library cannot write
 * the end of a job, for example because PostgreSQL was killed, its runner ends. The queue then
 * starts a new runner, and the locked jobs are unlocked like those of a dead process.
 */
import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import {
  Logger,
  type Runner,
  run,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import { defaultDeadlines } from '../database/deadlines.ts';
import type { Heartbeat } from '../database/heartbeat.ts';
import { openPoolLocks, type PoolLocks } from './pool-locks.ts';
import { QueuePool } from './queue-pool.ts';

export interface QueueLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Queue {
  freeJobsOfDead(): Promise<number>;
  stop(): Promise<void>;
}

export interface QueueOptions {
  readonly url: string;
  readonly heartbeat?: Heartbeat | undefined;
  readonly tasks: TaskList;
  readonly log: QueueLog;
  readonly concurrency: number;
}

const betweenStartsMs = 500;
const longestEndMs = 2000;
const abortAfterMs = 5000;
/**
 * Milliseconds to wait for a failed runner: its jobs are aborted after `abortAfterMs` and then have
 * 2 seconds to end.
 */
const longestFailureMs = abortAfterMs + 2000;

export async function startQueue(options: QueueOptions): Promise<Queue> {
  const { log } = options;
  const pools = openPoolLocks(options.url, options.heartbeat);
  const stopping = new AbortController();
  let current: StartedRunner;
  try {
    current = await startRunner(options, pools);
  } catch (error) {
    await pools.close();
    throw error;
  }

  const startAgain = async (): Promise<StartedRunner | undefined> => {
    while (!stopping.signal.aborted) {
      try {
        return await startRunner(options, pools);
      } catch (error) {
        log.warn({ err: error }, 'the queue could not be started and will be tried again');
      }
      await wait(betweenStartsMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    return undefined;
  };
  const going = (async () => {
    for (;;) {
      await current.ended;
      if (stopping.signal.aborted) return;
      log.warn({}, 'the queue stopped by itself and is started again');
      const next = await startAgain();
      if (next === undefined) return;
      current = next;
    }
  })();
  return {
    freeJobsOfDead: () => pools.freeJobsOfDead(),
    async stop() {
      stopping.abort();
      await current.stop();
      await going;
      // The queue may have been restarted while `stop` was waiting, so the current runner is
      // stopped.
      await current.stop();
      await pools.close();
    },
  };
}

interface StartedRunner {
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

async function startRunner(options: QueueOptions, pools: PoolLocks): Promise<StartedRunner> {
  const events: WorkerEvents = new EventEmitter();
  const announced = new Promise<void>((resolve, reject) => {
    events.once('pool:create', ({ workerPool }) => {
      pools.announce(workerPool.id).then(resolve, reject);
    });
  });
  // The promise is awaited further below. A failure before that must not count as an unhandled
  // rejection.
  announced.catch(() => undefined);
  // After a fatal error the library may never finish, so this wait is limited.
  const failed = once(events, 'pool:fatalError').then(() =>
    wait(longestFailureMs, undefined, { ref: false }),
  );
  const pool = new QueuePool(options.url);
  const unwatch = options.heartbeat?.watch(pool);
  const endPool = async () => {
    unwatch?.();
    await endWithin(pool);
  };
  let runner: Runner;
  try {
    runner = await run({
      pgPool: pool,
      taskList: options.tasks,
      // No recurring jobs are scheduled here, since the library's schedule would follow the clock
      // of this process. The database schedules recurring jobs.
      parsedCronItems: [],
      concurrency: options.concurrency,
      noHandleSignals: true,
      logger: quietLogger(options.log),
      events,
      preset: {
        worker: {
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
          gracefulShutdownAbortTimeout: abortAfterMs,
        },
      },
    });
  } catch (error) {
    await endPool();
    throw error;
  }
  const ended = Promise.race([runner.promise, failed])
    .catch(() => undefined)
    .then(endPool);
  const stop = async () => {
    // An error is ignored, because `stop` rejects if the runner has already stopped.
    await Promise.race([runner.stop(), failed]).catch(() => undefined);
    await ended;
  };
  try {
    await announced;
  } catch (error) {
    await stop();
    throw error;
  }
  return { ended, stop };
}

/**
 * Migrates the library's own schema. If two processes start together, the library's lock makes one
 * wait for the other.
 */
export async function migrateQueue(url: string): Promise<void> {
  const pool = new QueuePool(url, defaultDeadlines.slowMs);
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => undefined) });
  } finally {
    await endWithin(pool);
  }
}

/**
 * Closes the pool, but waits only briefly, since the library may never have returned a connection.
 */
async function endWithin(pool: QueuePool): Promise<void> {
  const ended = pool.end().catch(() => undefined);
  await Promise.race([ended, wait(longestEndMs, undefined, { ref: false })]);
}

/**
 * Returns a logger that passes on only errors and warnings of the library, since jobs write their
 * own log lines.
 */
function quietLogger(log: QueueLog): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({}, `queue: ${message}`);
    if (level === 'warning') log.warn({}, `queue: ${message}`);
  });
}
