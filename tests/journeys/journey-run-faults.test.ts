/**
 * Tests journey runs under the same faults as eval runs. Every acknowledged run must end, no
 * attempt may be counted or written twice, no worker may write late, every session must get the
 * grade that its server deserves, and the ledger must hold each reported step once.
 * `PROOFMARK_RUN_FAULTS` makes the series longer and varies it; `PROOFMARK_SEED` repeats one.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { until } from '@proofmark/harness/journeys/until.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type JourneyRunLoad,
  prepareJourneyLoad,
  sessionsPerRun,
  turnsPerSession,
} from './journey-run-load.ts';
import { countsOf, type Fault, faultKinds, makeTrouble, slicesOf } from './make-trouble.ts';
import { notedSessions } from './run-history.ts';
import { type NamedProcess, type RunSetup, startRunSetup, type Tenant } from './run-setup.ts';

const isLong = process.env['PROOFMARK_RUN_FAULTS'] !== undefined;
/**
 * The short series has only the faults specific to journey runs. The other faults act on leased
 * work, which eval runs use too, so the tests of eval runs cover them.
 */
const kinds = isLong ? faultKinds : (['worker', 'pause', 'database'] as const);
const faultCount = Number(process.env['PROOFMARK_RUN_FAULTS'] ?? kinds.length);
const seed = Number(process.env['PROOFMARK_SEED'] ?? (isLong ? randomInt(1_000_000) : 1));
const workerCount = isLong ? 3 : 2;

let setup: RunSetup;
let tenant: Tenant;
let workers: NamedProcess[];

beforeAll(async () => {
  setup = await startRunSetup(notedSessions);
  tenant = await setup.addTenant('Faults');
  await setup.admin('set-feature', 'Faults', 'swarms', 'on');
  workers = await Promise.all(Array.from({ length: workerCount }, () => setup.startWorker()));
});
afterAll(() => setup?.stop());

test(`${faultCount} faults leave every acknowledged run of a journey ended, once and rightly`, {
  timeout: 120_000 + faultCount * 20_000,
}, async () => {
  const load = await prepareJourneyLoad(setup, tenant);
  const faults = await makeTrouble({ setup, workers, load, seed, faultCount, kinds });
  const isOver = async () => (await load.open()).length === 0 && (await ungraded(load)) === 0;
  await until(() => isOver().catch(() => false), 'all are graded', 120_000).catch(() => undefined);
  const figures = await compare(load, faults);
  console.log(`seed ${seed}: ${JSON.stringify(figures)}`);
  const runs = load.acknowledged.length;
  expect(load.refused).toEqual([]);
  expect(runs, 'too few runs to say anything').toBeGreaterThanOrEqual(faultCount);
  expect(figures.slicesOfTheKilled, 'no kill met a session').toBeGreaterThan(0);
  expect(figures.slicesOfThePaused, 'no pause met a session').toBeGreaterThan(0);
  expect(figures.slicesTakenOver).toBe(figures.slicesOfTheKilled);
  expect(figures.begunAgain, 'nothing was begun again').toBeGreaterThan(0);
  expect(figures).toMatchObject({
    neverEnded: 0,
    attempts: runs * sessionsPerRun,
    countedTwice: 0,
    writtenTwice: 0,
    writtenLate: 0,
    notPlayed: 0,
    wrongGrades: 0,
    wrongLedgers: 0,
    findingsOfTheGood: 0,
  });
  // A request that was aborted before its connection opened costs nothing, so fewer steps may be
  // charged than requested.
  expect(figures.chargedSteps).toBeLessThanOrEqual(figures.stepsAsked);
});

async function ungraded(load: JourneyRunLoad): Promise<number> {
  let pending = 0;
  for (const { runId } of load.acknowledged) {
    const { criteria } = (await setup.request(tenant, `journey-runs/${runId}/scorecard`)).body;
    pending += criteria[0].pendingCount;
  }
  if (pending > 0) await after(200);
  return pending;
}

interface Attempt {
  readonly status: string;
  readonly sessionId: string;
  readonly begun: number;
}

async function compare(load: JourneyRunLoad, faults: readonly Fault[]) {
  const { history } = setup;
  const counted = { attempts: 0, countedTwice: 0, notPlayed: 0, wrongGrades: 0, wrongLedgers: 0 };
  const steps = { begunAgain: 0, chargedSteps: 0 };
  for (const { runId, kind } of load.acknowledged) {
    const { body: run } = await setup.request(tenant, `journey-runs/${runId}`);
    const attempts: readonly Attempt[] = run.attempts;
    const { succeeded, failed, rateLimited } = run.summary;
    counted.attempts += attempts.length;
    counted.countedTwice += Math.abs(succeeded + failed + rateLimited - attempts.length);
    counted.notPlayed += attempts.filter(({ status }) => status !== 'succeeded').length;
    counted.wrongGrades += await wrongGrades(runId, kind === 'good' ? 'passed' : 'failed');
    for (const attempt of attempts) {
      const charged = await history.chargedSteps(`${runId}/${attempt.sessionId}`);
      steps.begunAgain += attempt.begun - 1;
      steps.chargedSteps += charged.length;
      if (!isRightLedger(charged, attempt)) {
        counted.wrongLedgers += 1;
        console.log(`${runId}/${attempt.sessionId} begun ${attempt.begun}:`, charged);
      }
    }
  }
  return {
    faults: countsOf(faults),
    runs: load.acknowledged.length,
    launchesSentAgain: load.retries,
    neverEnded: (await load.open()).length,
    ...counted,
    ...steps,
    stepsAsked: setup.model.count(),
    writtenTwice: await history.writtenTwice(),
    writtenLate: await history.writtenLate(),
    findingsOfTheGood: await findingsOfTheGood(load),
    ...(await slicesOf(faults, history)),
  };
}

/**
 * Counts the sessions whose result is not the expected one, and checks that the scorecard agrees.
 */
async function wrongGrades(runId: string, expected: 'passed' | 'failed'): Promise<number> {
  const page = await setup.request(tenant, `journey-runs/${runId}/sessions?limit=200`);
  const scorecard = await setup.request(tenant, `journey-runs/${runId}/scorecard`);
  const [{ passCount, failCount }] = scorecard.body.criteria;
  const right = page.body.items.filter(({ result }: { result: string }) => result === expected);
  const decidedCount = expected === 'passed' ? passCount : failCount;
  if (right.length === sessionsPerRun && decidedCount === sessionsPerRun) return 0;
  console.log(`${runId} ought to be ${expected}:`, scorecard.text);
  return sessionsPerRun - Math.min(right.length, decidedCount);
}

/**
 * Checks the charges. The attempt that was completed must be charged for all steps, and earlier
 * attempts only for possible steps.
 */
function isRightLedger(charged: readonly string[], { begun }: Attempt): boolean {
  const steps = Array.from({ length: turnsPerSession * 2 }, (_, index) => index + 1);
  const possible = new Set<string>();
  for (let beginning = 1; beginning <= begun; beginning += 1) {
    for (const step of steps) possible.add(`${beginning}.${step}`);
  }
  return (
    new Set(charged).size === charged.length &&
    charged.every((step) => possible.has(step)) &&
    steps.every((step) => charged.includes(`${begun}.${step}`))
  );
}

/**
 * Counts findings about the server without defects. A fault of the service must never become a
 * finding about it.
 */
async function findingsOfTheGood(load: JourneyRunLoad): Promise<number> {
  const { body } = await setup.request(tenant, 'journey-findings?limit=200');
  const ofGood = [load.journeys.good, tenant.servers.good];
  return body.items.filter((finding: object) =>
    ofGood.some((id) => JSON.stringify(finding).includes(id)),
  ).length;
}
