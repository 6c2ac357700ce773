/** The other door: takes jobs and runs them, and looks after what went silent. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Queue, startQueue } from '../queue/start-queue.ts';
import type { PlaceOfRun } from '../storage/eval-runs/eval-slices.ts';
import type { LaneJob } from '../storage/eval-runs/jobs.ts';
import { enqueueDueSchedules, type ScheduledLaunch } from '../storage/eval-suites/schedules.ts';
import { housekeeping } from './housekeeping.ts';
import { judgeRun } from './judge-run.ts';
import { launchScheduled, type ScheduleDependencies } from './launch-scheduled.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { OpenRuns } from './open-runs.ts';
import { runLane } from './run-lane.ts';
import { watch } from './watchdog.ts';
import type { WorkerDependencies } from './worker-dependencies.ts';

const watchEveryMs = 1000;
const longestLookMs = 10_000;
/** Judges, schedules and housekeeping never wait for lanes, nor lanes for them. */
const otherJobsAtOnce = 3;

export async function startWorker(
  dependencies: WorkerDependencies &
    ScheduleDependencies & {
      readonly url: string;
      /** How many trials this process runs at a time. */
      readonly trialsAtOnce: number;
    },
): Promise<{ stop(): Promise<void> }> {
  const { database, log, url } = dependencies;
  const stopping = new AbortController();
  const runs = new OpenRuns(dependencies);
  const leases = new LeaseKeeper(database);
  const lanes = await startQueue({
    ...{
      url,
      heartbeat: database.heartbeat,
      log,
      concurrency: dependencies.trialsAtOnce,
      schedule: [],
    },
    tasks: {
      'eval-lane': (job, { abortSignal }) =>
        runLane(dependencies, { runs, leases }, job as LaneJob, {
          stopping: stopping.signal,
          leaving: abortSignal ?? neverAborted,
        }),
    },
  });
  const others = await startQueue({
    ...{
      url,
      heartbeat: database.heartbeat,
      log,
      concurrency: otherJobsAtOnce,
      schedule: [everyMinute, everyHour],
    },
    tasks: {
      'judge-run': (job, { abortSignal, job: { attempts, max_attempts } }) =>
        judgeRun(dependencies, runs, job as PlaceOfRun, {
          stopping: stopping.signal,
          signal: abortSignal ?? neverAborted,
          isLast: attempts >= max_attempts,
        }),
      'launch-schedules': async () => void (await enqueueDueSchedules(database.sql)),
      'launch-scheduled': (job) => launchScheduled(dependencies, job as ScheduledLaunch),
      housekeeping: async () => log.info(await housekeeping(database), 'housekeeping done'),
    },
  }).catch(async (error: unknown) => {
    await lanes.stop();
    throw error;
  });
  const stopWatching = watchAgainAndAgain(dependencies, lanes);
  return {
    async stop() {
      stopping.abort();
      await Promise.all([stopWatching(), lanes.stop(), others.stop()]);
      await runs.close();
    },
  };
}

const everyMinute = {
  task: 'launch-schedules',
  match: '* * * * *',
  identifier: 'launch-schedules',
  options: { jobKey: 'launch-schedules', maxAttempts: 3 },
};
const everyHour = {
  task: 'housekeeping',
  match: '7 * * * *',
  identifier: 'housekeeping',
  options: { jobKey: 'housekeeping', maxAttempts: 3 },
};

const neverAborted = new AbortController().signal;

function watchAgainAndAgain(
  { database, log }: WorkerDependencies,
  queue: Queue,
): () => Promise<void> {
  let isOver = false;
  let timer: NodeJS.Timeout;
  let round = Promise.resolve();
  const look = async () => {
    // Neither needs the other. When the database is away, the next round tells whether it is back.
    const looks = Promise.allSettled([queue.freeJobsOfDead(), watch(database, log)]);
    const outcomes = await Promise.race([looks, wait(longestLookMs, undefined, { ref: false })]);
    const found = { freed: 0, reopened: 0, revived: 0, ended: 0 };
    for (const outcome of outcomes ?? []) {
      if (outcome.status === 'rejected') {
        log.warn({ err: outcome.reason }, 'the watchdog could not look');
      } else if (typeof outcome.value === 'number') found.freed = outcome.value;
      else Object.assign(found, outcome.value);
    }
    if (Object.values(found).some((count) => count > 0)) log.warn(found, 'watchdog');
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
