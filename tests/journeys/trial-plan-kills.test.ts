/**
 * Kills workers at random moments of the interim checks ("looks") of trial plans. Each run must
 * reach the decision of an undisturbed run with the same results: no look may be decided twice, and
 * no trial beyond the plan may start. `PROOFMARK_PLAN_KILLS` makes the series longer and varies it;
 * `PROOFMARK_SEED` repeats one.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { until } from '@proofmark/harness/journeys/until.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { casesPerRun, createSuite, launch } from './eval-run-load.ts';
import { notedTrials } from './run-history.ts';
import {
  type NamedProcess,
  type RunSetup,
  type ServerKind,
  startRunSetup,
  type Tenant,
} from './run-setup.ts';
import { seededChance } from './seeded-chance.ts';

const isLong = process.env['PROOFMARK_PLAN_KILLS'] !== undefined;
const kills = Number(process.env['PROOFMARK_PLAN_KILLS'] ?? 4);
const seed = Number(process.env['PROOFMARK_SEED'] ?? (isLong ? randomInt(1_000_000) : 1));
const trials = { healthyRate: 0.95, drop: 0.15 };

/** The number of trials that the plan needs if all trials have the same result. */
const undisturbed = {
  good: { verdict: 'passed', stop: 'passedEarly', graded: 16, looks: [4, 8, 12, 16] },
  bad: { verdict: 'failed', stop: 'failedEarly', graded: 4, looks: [4] },
} as const;

let setup: RunSetup;
let tenant: Tenant;
let workers: NamedProcess[];

beforeAll(async () => {
  setup = await startRunSetup(notedTrials);
  tenant = await setup.addTenant('Plans');
  workers = await Promise.all([setup.startWorker(), setup.startWorker()]);
});
afterAll(() => setup?.stop());

test(`${kills} kills change no plan`, { timeout: 120_000 + kills * 30_000 }, async () => {
  const chance = seededChance(seed);
  const suites = {
    good: await createSuite(setup, tenant, { kind: 'good', model: 'local/steady', trials }),
    bad: await createSuite(setup, tenant, { kind: 'bad', model: 'local/steady', trials }),
  };
  let begunAgain = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const kind: ServerKind = kill % 3 === 2 ? 'bad' : 'good';
    const { body } = await launch(setup, tenant, suites[kind], `kill-${kill}`);
    const read = async () => (await setup.request(tenant, `eval-runs/${body.runId}`)).body;
    await until(async () => (await read()).status !== 'pending', 'it runs', 60_000);
    await after(chance.integer(kind === 'good' ? 1500 : 400));
    const killed = workers.shift();
    await killed?.kill();
    workers.push(await setup.startWorker());
    await until(async () => (await read()).completedAt !== null, 'it ends', 120_000);
    begunAgain += await expectUndisturbed(kind, body.runId, await read());
  }
  expect(await setup.history.writtenTwice()).toBe(0);
  console.log(`seed ${seed}: ${kills} kills, ${begunAgain} trials replaced`);
});

/**
 * Checks that a run equals an undisturbed one. Returns the number of trials that were replaced
 * because their workers were killed too often.
 */
async function expectUndisturbed(
  kind: ServerKind,
  runId: string,
  // biome-ignore lint/suspicious/noExplicitAny: a run as the API answers it.
  run: any,
): Promise<number> {
  const { verdict, stop, graded, looks } = undisturbed[kind];
  const page = await setup.request(tenant, `eval-runs/${runId}/iterations?limit=200`);
  const { items } = page.body;
  expect(run.verdict, runId).toBe(verdict);
  expect(run.plans.cases).toHaveLength(casesPerRun);
  for (const plan of run.plans.cases) {
    expect(plan, runId).toMatchObject({ stop, trials: graded });
    expect(plan.walk.map((one: { trials: number }) => one.trials)).toEqual(looks);
    const own = items.filter((one: { testCaseId: string }) => one.testCaseId === plan.testCaseId);
    const numbers = own.map((one: { iterationNumber: number }) => one.iterationNumber);
    const inOrder = numbers.sort((one: number, other: number) => one - other);
    expect(inOrder, runId).toEqual(inOrder.map((_: number, index: number) => index + 1));
    const ungraded = own.filter((one: { result: unknown }) => one.result === null);
    expect(own.length - ungraded.length, runId).toBe(graded);
  }
  const needed = graded * casesPerRun;
  expect(run.expectedIterations).toBe(items.length);
  return items.length - needed;
}
