/** The worker: does leased work and jobs, and ends runs whose time is over. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Retention } from '@proofmark/domain';
import { type Queue, startQueue } from '../queue/start-queue.ts';
import { DiskIsFull } from '../storage/database/disk-full.ts';
import { judgementsWork, trialsWork } from '../storage/eval-runs/run-work.ts';
import { measureStorage } from '../storage/eval-runs/stored-bytes.ts';
import { mutationsWork } from '../storage/eval-suites/mutations.ts';
import { enqueueDueSchedules, type ScheduledLaunch } from '../storage/eval-suites/schedules.ts';
import { workersAskedChannel } from '../storage/health/ask-workers.ts';
import { insightsWork } from '../storage/insights/insights-work.ts';
import { settleSilentReservations } from '../storage/spending/reservations.ts';
import { journeyGradingsWork, journeySessionsWork } from '../storage/swarms/journey-work.ts';
import { journeyJudgementsWork, waveMiningWork } from '../storage/swarms/waves.ts';
import { windowMiningWork } from '../storage/user-testing/windows.ts';
import { addDueJobs } from '../storage/work/recurring-jobs.ts';
import { defaultLeaseTimes, type LeaseTimes } from '../work/lease-times.ts';
import { startWork } from '../work/start-work.ts';
import { keepBeating } from './beat.ts';
import { journeyGradingsKind } from './grade-sessions.ts';
import { housekeeping } from './housekeeping.ts';
import { journeyJudgementsKind } from './judge-sessions.ts';
import { judgementsKind } from './judge-trials.ts';
import { launchScheduled } from './launch-scheduled.ts';
import { waveMiningKind } from './mine-waves.ts';
import { windowMiningKind } from './mine-windows.ts';
import { mutationsKind } from './mutate-suites.ts';
import { endSilentInsights, insightsKind } from './narrate-insights.ts';
import { OpenJourneyRuns } from './open-journey-runs.ts';
import { OpenRuns } from './open-runs.ts';
import { journeySessionsKind } from './play-sessions.ts';
import { trialsKind } from './run-trials.ts';
import { AfterSettler } from './settle-afters.ts';
import { settleVisits } from './settle-visits.ts';
import { SharedPlaces } from './shared-places.ts';
import { tellOfBrowser } from './tell-of-browser.ts';
import { TrialPayments } from './trial-payments.ts';
import { defaultVisitTimes, type VisitTimes } from './visit-times.ts';
import { watchJourneyRuns } from './watch-journey-runs.ts';
import { watch } from './watchdog.ts';
import type { WorkerDependencies } from './worker-dependencies.ts';

const watchEveryMs = 1000;
const longestLookMs = 10_000;
/** Judges, narrators, schedules and housekeeping never wait for trials, nor trials for them. */
const judgedAtOnce = 3;
const explainedAtOnce = 2;
const gradedAtOnce = 4;
const minedAtOnce = 2;
const mutatedAtOnce = 2;
const jobsAtOnce = 3;

export async function startWorker(
  dependencies: WorkerDependencies & {
    readonly url: string;
    /** How many slices of trials this process runs at a time. */
    readonly trialsAtOnce: number;
    /** Of this service, as its operator is told. */
    readonly version: string;
    readonly leaseTimes?: Partial<LeaseTimes>;
    /** Of organizations that have no rules of their own; left out, everything is kept. */
    readonly retention?: Retention;
    readonly visitTimes?: Partial<VisitTimes>;
    /** Whether there is room for what more work would write; left out, there is. */
    mayBegin?(): boolean;
  },
): Promise<{ stop(): Promise<void> }> {
  const { database, log, url, leaseTimes, trialsAtOnce, version } = dependencies;
  const mayBegin = () => dependencies.mayBegin?.() !== false;
  const visitTimes = { ...defaultVisitTimes, ...dependencies.visitTimes };
  const jobs = await startQueue({
    ...{ url, heartbeat: database.heartbeat, log, concurrency: jobsAtOnce },
    tasks: {
      'launch-schedules': async () => void (await enqueueDueSchedules(database.sql)),
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
  const places = new SharedPlaces(database, log);
  const runs = new OpenRuns({ ...dependencies, places });
  const payments = new TrialPayments(dependencies);
  const { leaseMs } = { ...defaultLeaseTimes, ...leaseTimes };
  const journeyRuns = new OpenJourneyRuns({ ...dependencies, places });
  const work = startWork({
    ...{ database, url, log, ...(leaseTimes && { times: leaseTimes }), mayBegin },
    heard: { [workersAskedChannel]: (channel) => void tellOfBrowser(dependencies, channel) },
    kinds: {
      [trialsWork]: trialsKind(dependencies, runs, payments, { atOnce: trialsAtOnce, leaseMs }),
      [judgementsWork]: judgementsKind(dependencies, runs, judgedAtOnce),
      [journeySessionsWork]: journeySessionsKind(dependencies, journeyRuns, trialsAtOnce),
      [insightsWork]: insightsKind(dependencies, explainedAtOnce),
      [mutationsWork]: mutationsKind({ ...dependencies, places }, mutatedAtOnce),
      [journeyGradingsWork]: journeyGradingsKind(dependencies, gradedAtOnce),
      [journeyJudgementsWork]: journeyJudgementsKind(dependencies, judgedAtOnce),
      [waveMiningWork]: waveMiningKind(dependencies, minedAtOnce),
      [windowMiningWork]: windowMiningKind(dependencies, minedAtOnce),
    },
  });
  const afters = new AfterSettler({ ...dependencies, places }, payments, leaseMs);
  const stopWatching = watchAgainAndAgain(dependencies, jobs, visitTimes, afters);
  const stopBeating = keepBeating(database, {
    ...{ id: randomUUID(), host: hostname(), processId: process.pid, version, trialsAtOnce },
  });
  return {
    async stop() {
      await Promise.all([stopWatching(), work.stop(), jobs.stop()]);
      await afters.stop();
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
  afters: AfterSettler,
): () => Promise<void> {
  let isOver = false;
  let timer: NodeJS.Timeout;
  let round = Promise.resolve();
  const look = async () => {
    // None needs another. When the database is away, the next round tells whether it is back.
    const looks = Promise.allSettled([
      queue.freeJobsOfDead(),
      watch(database, log),
      watchJourneyRuns(database, log),
      endSilentInsights(database, log),
      afters.look(),
      addDueJobs(database.sql),
      settleVisits(database, log, visitTimes),
    ]);
    const outcomes = await Promise.race([looks, wait(longestLookMs, undefined, { ref: false })]);
    const [freed = 0, ended = 0, endedJourneys = 0, silent = 0, cleanedUp = 0] = (
      outcomes ?? []
    ).map((outcome) => {
      if (outcome.status === 'fulfilled') return outcome.value;
      log.warn({ err: outcome.reason }, 'the watchdog could not look');
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
