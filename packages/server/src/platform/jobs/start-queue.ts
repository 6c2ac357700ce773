/**
 * Durable jobs on the same PostgreSQL. Completions are written before a stop returns; otherwise a
 * finished job would stay locked and run again hours later. The library ends for good if it cannot
 * write the end of a job, for example when PostgreSQL is killed. It is then started again under a
 * new name, and the jobs it left locked are freed like those of a dead process.
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
  /** Frees the jobs of dead processes; returns the number of those processes. */
  freeJobsOfDead(): Promise<number>;
  stop(): Promise<void>;
}

export interface QueueOptions {
  readonly url: string;
  /** Destroys silent connections of the queue. */
  readonly heartbeat?: Heartbeat | undefined;
  readonly tasks: TaskList;
  readonly log: QueueLog;
  readonly concurrency: number;
}

const betweenStartsMs = 500;
const longestEndMs = 2000;
const abortAfterMs = 5000;
/** Running jobs are aborted after a while and then have a moment to end. */
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
      // The queue may have started during the stop.
      await current.stop();
      await pools.close();
    },
  };
}

interface StartedRunner {
  /** Settles when the runner has ended, for any reason. */
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
  // It is awaited below; until then its failure must not count as unhandled.
  announced.catch(() => undefined);
  // After such a failure the library may wait for itself forever.
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
      // Recurring jobs are scheduled by the database; a schedule here would follow the clock of
      // this process.
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
    // A runner that has already stopped rejects.
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

/** Migrates the queue's own schema; its lock orders two processes that start together. */
export async function migrateQueue(url: string): Promise<void> {
  const pool = new QueuePool(url, defaultDeadlines.slowMs);
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => undefined) });
  } finally {
    await endWithin(pool);
  }
}

/** Closes the pool; does not wait for a connection that the library never returned. */
async function endWithin(pool: QueuePool): Promise<void> {
  const ended = pool.end().catch(() => undefined);
  await Promise.race([ended, wait(longestEndMs, undefined, { ref: false })]);
}

/** Jobs have their own log lines; only problems of the library are logged here. */
function quietLogger(log: QueueLog): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({}, `queue: ${message}`);
    if (level === 'warning') log.warn({}, `queue: ${message}`);
  });
}
