import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Retention } from '@proofmark/domain';
import { judgementsWork, trialsWork } from '../../features/evals/store/run-work.ts';
import { enqueueDueSchedules, type ScheduledLaunch } from '../../features/evals/store/schedules.ts';
import { watch } from '../../features/evals/work/end-overdue-runs.ts';
import { judgementsKind } from '../../features/evals/work/judge-trials.ts';
import { launchScheduled } from '../../features/evals/work/launch-scheduled.ts';
import { OpenRuns } from '../../features/evals/work/open-runs.ts';
import { trialsKind } from '../../features/evals/work/run-trials.ts';
import { TeardownSettler } from '../../features/evals/work/settle-teardowns.ts';
import { TrialPayments } from '../../features/evals/work/trial-payments.ts';
import type { WorkerDependencies } from '../../features/evals/work/worker-parts.ts';
import { lookAtBrowser } from '../../features/health/operations/look-at-browser.ts';
import type { BrowserOfWorker } from '../../features/health/operations/worst-browser.ts';
import { answerAsker, workersAskedChannel } from '../../features/health/store/ask-workers.ts';
import { insightsWork } from '../../features/insights/store/insights-work.ts';
import { detectInEvalRun } from '../../features/insights/work/detect-in-eval-run.ts';
import {
  endSilentInsights,
  insightsKind,
  type NarratorParts,
} from '../../features/insights/work/narrate-insights.ts';
import { mutationsWork } from '../../features/mutations/store/mutations.ts';
import { mutationsKind } from '../../features/mutations/work/mutate-suites.ts';
import { measureStorage } from '../../features/retention/store/stored-bytes.ts';
import {
  journeyGradingsWork,
  journeySessionsWork,
} from '../../features/swarms/store/journey-work.ts';
import { journeyJudgementsWork, waveMiningWork } from '../../features/swarms/store/waves.ts';
import { journeyGradingsKind } from '../../features/swarms/work/grade-sessions.ts';
import { journeyJudgementsKind } from '../../features/swarms/work/judge-sessions.ts';
import { waveMiningKind } from '../../features/swarms/work/mine-waves.ts';
import { OpenJourneyRuns } from '../../features/swarms/work/open-journey-runs.ts';
import { journeySessionsKind } from '../../features/swarms/work/play-sessions.ts';
import { detectInSwarmWave } from '../../features/swarms/work/read-wave.ts';
import { watchJourneyRuns } from '../../features/swarms/work/watch-journey-runs.ts';
import { windowMiningWork } from '../../features/user-testing/store/windows.ts';
import { windowMiningKind } from '../../features/user-testing/work/mine-windows.ts';
import {
  answerWithoutForgotten,
  detectInScenarioWindow,
  withoutForgotten,
} from '../../features/user-testing/work/read-window.ts';
import { settleVisits } from '../../features/user-testing/work/settle-visits.ts';
import {
  defaultVisitTimes,
  type VisitTimes,
} from '../../features/user-testing/work/visit-times.ts';
import { DiskIsFull } from '../../platform/database/disk-full.ts';
import { type Queue, startQueue } from '../../platform/jobs/start-queue.ts';
import { settleSilentReservations } from '../../platform/spending/store/reservations.ts';
import { defaultLeaseTimes, type LeaseTimes } from '../../platform/work/lease-times.ts';
import { LimitShares } from '../../platform/work/limit-shares.ts';
import { startWork } from '../../platform/work/start-work.ts';
import { addDueJobs } from '../../platform/work/store/recurring-jobs.ts';
import { keepBeating } from './beat.ts';
import { housekeeping } from './housekeeping.ts';

const watchEveryMs = 1000;
const longestLookMs = 10_000;
/**
 * Judges, narrators, schedules and housekeeping have their own concurrency limits, so that they
 * neither wait for trials nor delay them.
 */
const judgedAtOnce = 3;
const explainedAtOnce = 2;
const gradedAtOnce = 4;
const minedAtOnce = 2;
const mutatedAtOnce = 2;
const jobsAtOnce = 3;

export async function startWorker(
  dependencies: WorkerDependencies & {
    readonly url: string;
    /** The number of slices (some trials of a run) that this process works on concurrently. */
    readonly trialsAtOnce: number;
    /** The version of this service that its operator sees. */
    readonly version: string;
    readonly leaseTimes?: Partial<LeaseTimes>;
    /** The retention rules for organizations without their own (default: nothing is removed). */
    readonly retention?: Retention;
    readonly visitTimes?: Partial<VisitTimes>;
    /** Returns whether there is disk space for more work (default: always). */
    mayBegin?(): boolean;
  },
): Promise<{ stop(): Promise<void> }> {
  const { database, log, url, leaseTimes, trialsAtOnce, version } = dependencies;
  const mayBegin = () => dependencies.mayBegin?.() !== false;
  const visitTimes = { ...defaultVisitTimes, ...dependencies.visitTimes };
  const jobs = await startQueue({
    url,
    heartbeat: database.heartbeat,
    log,
    concurrency: jobsAtOnce,
    tasks: {
      'launch-schedules': async () => void (await enqueueDueSchedules(database)),
      'launch-scheduled': async (job) => {
        if (!mayBegin()) throw new DiskIsFull();
        await launchScheduled(dependencies, job as ScheduledLaunch);
      },
      'measure-storage': async () => void (await measureStorage(database, 'recent')),
      'settle-reservations': async () => void (await settleSilentReservations(database)),
      housekeeping: async () =>
        log.info(
          await housekeeping(database, dependencies.retention, visitTimes),
          'housekeeping done',
        ),
    },
  });
  const places = new LimitShares(database, log);
  const runs = new OpenRuns({ ...dependencies, places });
  const payments = new TrialPayments(dependencies);
  const { leaseMs } = { ...defaultLeaseTimes, ...leaseTimes };
  const journeyRuns = new OpenJourneyRuns({ ...dependencies, places });
  const work = startWork({
    database,
    url,
    log,
    ...(leaseTimes && { times: leaseTimes }),
    mayBegin,
    listeners: {
      [workersAskedChannel]: (channel) => void answerBrowserState(dependencies, channel),
    },
    kinds: {
      [trialsWork]: trialsKind(dependencies, runs, payments, { atOnce: trialsAtOnce, leaseMs }),
      [judgementsWork]: judgementsKind(dependencies, runs, judgedAtOnce),
      [journeySessionsWork]: journeySessionsKind(dependencies, journeyRuns, trialsAtOnce),
      [insightsWork]: insightsKind({ ...dependencies, scopes: insightScopes }, explainedAtOnce),
      [mutationsWork]: mutationsKind({ ...dependencies, places }, mutatedAtOnce),
      [journeyGradingsWork]: journeyGradingsKind(dependencies, gradedAtOnce),
      [journeyJudgementsWork]: journeyJudgementsKind(dependencies, judgedAtOnce),
      [waveMiningWork]: waveMiningKind(dependencies, minedAtOnce),
      [windowMiningWork]: windowMiningKind(dependencies, minedAtOnce),
    },
  });
  const teardowns = new TeardownSettler({ ...dependencies, places }, payments, leaseMs);
  const stopWatching = watchAgainAndAgain(dependencies, jobs, visitTimes, teardowns);
  const stopBeating = keepBeating(database, {
    id: randomUUID(),
    host: hostname(),
    processId: process.pid,
    version,
    trialsAtOnce,
  });
  return {
    async stop() {
      await Promise.all([stopWatching(), work.stop(), jobs.stop()]);
      await teardowns.stop();
      await payments.close();
      await Promise.all([runs.close(), journeyRuns.close()]);
      await places.close();
      await stopBeating();
    },
  };
}

function watchAgainAndAgain(
  { database, log }: WorkerDependencies,
  queue: Queue,
  visitTimes: VisitTimes,
  teardowns: TeardownSettler,
): () => Promise<void> {
  let isOver = false;
  let timer: NodeJS.Timeout;
  let round = Promise.resolve();
  const look = async () => {
    // These checks are independent of each other. If the database is unavailable, the next round
    // repeats them.
    const looks = Promise.allSettled([
      queue.freeJobsOfDead(),
      watch(database, log),
      watchJourneyRuns(database, log),
      endSilentInsights(database, log),
      teardowns.look(),
      addDueJobs(database.sql),
      settleVisits(database, log, visitTimes),
    ]);
    const outcomes = await Promise.race([looks, wait(longestLookMs, undefined, { ref: false })]);
    const [freed = 0, ended = 0, endedJourneys = 0, silent = 0, cleanedUp = 0] = (
      outcomes ?? []
    ).map((outcome) => {
      if (outcome.status === 'fulfilled') return outcome.value;
      log.warn({ err: outcome.reason }, 'the watchdog could not check the workers');
      return 0;
    });
    if (freed + ended + endedJourneys + silent + cleanedUp > 0) {
      log.warn({ freed, ended, endedJourneys, silent, cleanedUp }, 'watchdog');
    }
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

const insightScopes: NarratorParts['scopes'] = {
  eval_run: { detect: detectInEvalRun },
  swarm_wave: { detect: detectInSwarmWave },
  user_testing_window: {
    detect: detectInScenarioWindow,
    withoutForgotten: { material: withoutForgotten, answer: answerWithoutForgotten },
  },
};

/**
 * The time limit in milliseconds for starting a browser when an operator asks about it. It allows
 * for every way of starting one to be tried.
 */
const longestBrowserStartMs = 120_000;

async function answerBrowserState(
  { database, log, widgets }: Pick<WorkerDependencies, 'database' | 'log' | 'widgets'>,
  channel: string,
): Promise<void> {
  try {
    const look = await lookAtBrowser(widgets, longestBrowserStartMs);
    const answer: BrowserOfWorker = { look, host: hostname(), processId: process.pid };
    await answerAsker(database.sql, channel, answer);
  } catch (error) {
    log.warn({ err: error }, 'the state of the browser could not be stored');
  }
}
