/** The other door: takes jobs and runs them, and looks after what went silent. */
import { type Queue, startQueue } from '../queue/start-queue.ts';
import type { LaneJob } from '../storage/jobs.ts';
import { housekeeping } from './housekeeping.ts';
import { judgeRun } from './judge-run.ts';
import { launchSchedules, type ScheduleMeans } from './launch-schedules.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { OpenRuns } from './open-runs.ts';
import { runLane } from './run-lane.ts';
import { watch } from './watchdog.ts';
import type { WorkerMeans } from './worker-means.ts';

const watchEveryMs = 1000;
/** Jobs that are not lanes come between them. */
const otherJobs = 2;

export async function startWorker(
  means: WorkerMeans &
    ScheduleMeans & {
      readonly url: string;
      /** How many trials this process runs at a time. */
      readonly trialsAtOnce: number;
    },
): Promise<{ stop(): Promise<void> }> {
  const { database, log } = means;
  const stopping = new AbortController();
  const runs = new OpenRuns(means);
  const leases = new LeaseKeeper(database);
  const queue = await startQueue({
    url: means.url,
    log,
    concurrency: means.trialsAtOnce + otherJobs,
    tasks: {
      'eval-lane': (job, { abortSignal }) =>
        runLane(means, { runs, leases }, job as LaneJob, {
          stopping: stopping.signal,
          leaving: abortSignal ?? neverAborted,
        }),
      'judge-run': (job, { abortSignal, job: { attempts, max_attempts } }) =>
        judgeRun(means, runs, job as LaneJob, {
          signal: abortSignal ?? neverAborted,
          isLast: attempts >= max_attempts,
        }),
      'launch-schedules': () => launchSchedules(means),
      housekeeping: async () => log.info(await housekeeping(database), 'housekeeping done'),
    },
    schedule: [
      {
        task: 'housekeeping',
        match: '7 * * * *',
        identifier: 'housekeeping',
        options: { jobKey: 'housekeeping', maxAttempts: 3 },
      },
      {
        task: 'launch-schedules',
        match: '* * * * *',
        identifier: 'launch-schedules',
        options: { jobKey: 'launch-schedules', maxAttempts: 3 },
      },
    ],
  });
  const stopWatching = watchAgainAndAgain(means, queue);
  return {
    async stop() {
      stopping.abort();
      await stopWatching();
      await queue.stop();
    },
  };
}

const neverAborted = new AbortController().signal;

function watchAgainAndAgain({ database, log }: WorkerMeans, queue: Queue): () => Promise<void> {
  let isOver = false;
  let timer: NodeJS.Timeout;
  let round = Promise.resolve();
  const look = async () => {
    // Neither needs the other. When the database is away, the next round tells whether it is back.
    const [freed, seen] = await Promise.allSettled([queue.freeJobsOfDead(), watch(database)]);
    for (const outcome of [freed, seen]) {
      if (outcome.status === 'rejected') {
        log.warn({ err: outcome.reason }, 'the watchdog could not look');
      }
    }
    const found = {
      freed: freed.status === 'fulfilled' ? freed.value : 0,
      ...(seen.status === 'fulfilled' ? seen.value : { reopened: 0, ended: 0 }),
    };
    if (found.freed + found.reopened + found.ended > 0) log.warn(found, 'watchdog');
    if (!isOver) timer = setTimeout(next, watchEveryMs);
  };
  const next = () => {
    round = look();
  };
  timer = setTimeout(next, watchEveryMs);
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await round;
  };
}
