/**
 * Durable jobs on the same PostgreSQL. Completions are written before a stop returns: otherwise a
 * finished job would stay locked and run a second time hours later.
 */
import { EventEmitter } from 'node:events';
import {
  type CronItem,
  Logger,
  parseCronItems,
  run,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import { openLivingPools } from './living-pools.ts';

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

export async function startQueue(options: {
  readonly url: string;
  readonly tasks: TaskList;
  readonly schedule: readonly CronItem[];
  readonly log: QueueLog;
  readonly concurrency: number;
}): Promise<Queue> {
  const pools = openLivingPools(options.url);
  const events: WorkerEvents = new EventEmitter();
  const announced = new Promise<void>((resolve, reject) => {
    events.once('pool:create', ({ workerPool }) => {
      pools.announce(workerPool.id).then(resolve, reject);
    });
  });
  try {
    const runner = await run({
      connectionString: options.url,
      taskList: options.tasks,
      parsedCronItems: parseCronItems([...options.schedule]),
      concurrency: options.concurrency,
      noHandleSignals: true,
      logger: quietLogger(options.log),
      events,
      preset: {
        worker: {
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
          gracefulShutdownAbortTimeout: 5000,
        },
      },
    });
    await announced;
    return {
      freeJobsOfDead: () => pools.freeJobsOfDead(),
      async stop() {
        await runner.stop();
        await pools.close();
      },
    };
  } catch (error) {
    await pools.close();
    throw error;
  }
}

/** The queue keeps its own schema; two processes that start together are sorted out by its lock. */
export async function migrateQueue(url: string): Promise<void> {
  await runMigrations({ connectionString: url, logger: new Logger(() => () => undefined) });
}

/** Jobs log for themselves; of the library only what went wrong is worth a line. */
function quietLogger(log: QueueLog): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({}, `queue: ${message}`);
    if (level === 'warning') log.warn({}, `queue: ${message}`);
  });
}
