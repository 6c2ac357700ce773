/**
 * Durable jobs on the same PostgreSQL. Completions are written before a stop returns: otherwise a
 * finished job would stay locked and run a second time hours later. The library ends for good when it could not write
 * the end of a job, as when PostgreSQL is killed; it is then started again, under a new name, and what it left locked is
 * freed like that of a process that died.
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
  /** Frees the jobs of processes that died; says how many those were. */
  freeJobsOfDead(): Promise<number>;
  stop(): Promise<void>;
}

export interface QueueOptions {
  readonly url: string;
  /** Destroys connections of the queue that are silent. */
  readonly heartbeat?: Heartbeat | undefined;
  readonly tasks: TaskList;
  readonly log: QueueLog;
  readonly concurrency: number;
}

const betweenStartsMs = 500;
const longestEndMs = 2000;
const abortAfterMs = 5000;
/** Jobs that are under way are told to leave after a while and have a moment for it. */
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
      // It may have come up in the very moment of the stop.
      await current.stop();
      await pools.close();
    },
  };
}

interface StartedRunner {
  /** Settles when it has ended, for whatever reason. */
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
  // It is waited for below; until then it must not count as a failure that nobody minds.
  announced.catch(() => undefined);
  // After such a failure the library may wait for itself without end.
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
      // What comes again and again is told to us by the database: a schedule here would go by the clock of this process.
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
    // One that has stopped already says so by an error.
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

/** The queue keeps its own schema; two processes that start together are sorted out by its lock. */
export async function migrateQueue(url: string): Promise<void> {
  const pool = new QueuePool(url, defaultDeadlines.slowMs);
  try {
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => undefined) });
  } finally {
    await endWithin(pool);
  }
}

/** A connection that the library never gave back must not keep anybody. */
async function endWithin(pool: QueuePool): Promise<void> {
  const ended = pool.end().catch(() => undefined);
  await Promise.race([ended, wait(longestEndMs, undefined, { ref: false })]);
}

/** Jobs log for themselves; of the library only what went wrong is worth a line. */
function quietLogger(log: QueueLog): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({}, `queue: ${message}`);
    if (level === 'warning') log.warn({}, `queue: ${message}`);
  });
}
