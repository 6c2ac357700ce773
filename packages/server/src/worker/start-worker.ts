/** The other door: takes jobs and runs them. */
import { type Queue, type QueueLog, startQueue } from '../queue/start-queue.ts';
import type { Database } from '../storage/database.ts';
import { housekeeping } from './housekeeping.ts';

export async function startWorker(options: {
  readonly database: Database;
  readonly url: string;
  readonly log: QueueLog;
}): Promise<Queue> {
  const { database, log } = options;
  return startQueue({
    url: options.url,
    log,
    concurrency: 4,
    tasks: {
      housekeeping: async () => log.info(await housekeeping(database), 'housekeeping done'),
    },
    schedule: [
      {
        task: 'housekeeping',
        match: '7 * * * *',
        identifier: 'housekeeping',
        options: { jobKey: 'housekeeping', maxAttempts: 3 },
      },
    ],
  });
}
