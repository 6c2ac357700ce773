/**
 * Trial plans through the whole service. A run of 40 healthy cases that pass 95 % of their trials,
 * with a plan for a drop to 80 %: its trials beside those of the fixed plan of the same error rates
 * (aim: at most 0.65), and beside what the rule alone plays with the same results. The CPU of
 * deciding a look, with its statement and PostgreSQL, beside that of a trial (aim: under 1 %). The statistics of a run of a suite with
 * 1,000 runs, with their histories and without (aim: at most twice the CPU). `BENCH_ONLY=runs` or
 * `BENCH_ONLY=statistics` measures one part.
 */
import { setTimeout as after } from 'node:timers/promises';
import {
  decideTallies,
  fixedPlan,
  followPlan,
  makeTrialPlan,
  type PlannedResult,
  planTerms,
  resolvePolicy,
  type TrialPlan,
} from '../packages/domain/src/index.ts';
import { atOnce, benchModel, figureLine, startBesideBareLoop } from './beside-bare-loop.ts';
import { costOfLook } from './gates/cost-of-look.ts';
import { healthyRate, promptOfCase, resultsOfCase } from './gates/healthy-cases.ts';
import { copyRun, forgetHistories } from './gates/thousand-runs.ts';

const runs = Number(process.env['BENCH_RUNS'] ?? 10);
const seed = Number(process.env['BENCH_SEED'] ?? 1);
const cases = 40;
const runsOfSuite = 1000;
const readingsOfStatistics = 100;
const only = process.env['BENCH_ONLY'];
const stated = { healthyRate, drop: 0.15 };
const aims = { share: 0.65, look: 0.01, statistics: 2 };

const plan = planOf();
const fixed = fixedPlan(planTerms(stated))?.trials ?? Number.NaN;

const bench = await startBesideBareLoop(
  { PROOFMARK_TRIALS_AT_ONCE: String(atOnce), PROOFMARK_TRIALS_PER_RUN: String(atOnce) },
  { file: './gates/healthy-cases.child.ts', parameters: [String(seed)] },
);
try {
  const held = [
    ...(only === 'statistics' ? [] : [await measureRuns(await createSuite())]),
    ...(only === 'runs' ? [] : [(await measureStatistics()) <= aims.statistics]),
  ];
  if (held.includes(false)) process.exitCode = 1;
} finally {
  await bench.stop();
}

function planOf(): TrialPlan {
  const made = makeTrialPlan(stated);
  if ('refusal' in made) throw new Error(made.refusal.message);
  return made.plan;
}

async function createSuite(): Promise<string> {
  const tests = Array.from({ length: cases }, (_, index) => ({
    title: `Warmth ${index}`,
    steps: [
      { id: 'ask', kind: 'prompt', prompt: promptOfCase(index) },
      { id: 'said', kind: 'assert', assertion: { type: 'responseContains', needle: '21' } },
    ],
  }));
  const settings = { verdictPolicyDefaults: { trials: stated }, sessions: 'run' };
  const suite = {
    name: 'Healthy',
    serverIds: [bench.serverId],
    model: benchModel,
    settings,
    tests,
  };
  return String((await bench.post('eval-suites', suite))['suiteId']);
}

interface PlannedRun {
  readonly id: string;
  readonly plans: { readonly cases: readonly { readonly trials: number }[] };
}

async function runToEnd(body: object): Promise<Record<string, unknown>> {
  const { runId } = await bench.post('eval-runs', body);
  for (;;) {
    await after(200);
    const run = await bench.get(`eval-runs/${runId}`);
    if (run['completedAt'] !== null) return run;
  }
}

/** Returns whether the aims hold. */
async function measureRuns(suiteId: string): Promise<boolean> {
  const byRule = trialsByRule();
  const played: number[] = [];
  let lastRun = '';
  const figure = await bench.measure(sum(byRule.trials), async () => {
    for (let run = 0; run < runs; run += 1) {
      const { id, plans } = (await runToEnd({ suiteId })) as unknown as PlannedRun;
      lastRun = id;
      played.push(sum(plans.cases.map(({ trials }) => trials)));
    }
  });
  const ofFixed = sum(played) / (runs * cases * fixed);
  const same = played.every((trials, run) => trials === byRule.trials[run]);
  const trial = figure.cpuMicroseconds + (figure.postgresMicroseconds ?? 0);
  const { decidingMicroseconds, beginningMicroseconds } = await costOfLook(bench.dataDir, lastRun);
  const look = decidingMicroseconds / trial;
  console.log(
    [
      `${runs} runs of ${cases} healthy cases at ${healthyRate}, plan to ${(healthyRate - stated.drop).toFixed(2)}, seed ${seed}, Node ${process.version}`,
      figureLine('planned', sum(played), 'trials', figure),
      `${ofFixed.toFixed(3)} of the ${fixed} trials a case of the fixed plan (aim: at most ${aims.share}); each run: ${played.map((trials) => (trials / (cases * fixed)).toFixed(2)).join(' ')}`,
      `the rule alone plays ${same ? 'as many trials with the same results' : `${byRule.trials.join(' ')}, the service ${played.join(' ')}`}`,
      `deciding a look takes ${decidingMicroseconds.toFixed(0)} µs CPU with its statement and PostgreSQL (${byRule.lookMicroseconds.toFixed(1)} µs the rule alone), ${percentOf(look)} of the ${trial.toFixed(0)} µs of a trial (aim: under 1 %)`,
      `beginning its ${plan.look} trials takes ${beginningMicroseconds.toFixed(0)} µs more, ${percentOf(beginningMicroseconds / (plan.look * trial))} of these trials`,
    ].join('\n'),
  );
  return ofFixed <= aims.share && look < aims.look && same;
}

/** Follows the plan with the results that the model gives, and takes the CPU of each look. */
function trialsByRule() {
  const sequences = Array.from({ length: cases }, (_, index) => resultsOfCase(seed, index));
  const byRun = Array.from({ length: runs }, () => sequences.map(resultsByRule));
  const trials = byRun.map((ofCases) => sum(ofCases.map(({ length }) => length)));
  return { trials, lookMicroseconds: cpuOfLook(byRun.flat()) };
}

function resultsByRule(next: () => boolean): PlannedResult[] {
  const results: PlannedResult[] = [];
  for (;;) {
    const begun = followPlan(plan, results).next;
    if (begun.kind !== 'begin') return results;
    for (let at = 0; at < begun.trials; at += 1) results.push(next() ? 'passed' : 'failed');
  }
}

/** A look is followed from the first trial on; at the last one the policy decides the case, too. */
function cpuOfLook(all: readonly (readonly PlannedResult[])[]): number {
  const rounds = Math.ceil(2000 / all.length);
  let looks = 0;
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    for (const results of all) {
      for (let at = plan.look; at <= results.length; at += plan.look) {
        const { passed, trials, next } = followPlan(plan, results.slice(0, at));
        if (next.kind === 'stop') decide(passed, trials);
        looks += 1;
      }
    }
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / looks;
}

function percentOf(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

function decide(passedTrials: number, trials: number): void {
  decideTallies(resolvePolicy(), [
    {
      caseId: 'case',
      configuredTrials: trials,
      effectivePassThreshold: plan.passThreshold,
      passedTrials,
      failedTrials: trials - passedTrials,
      runningTrials: 0,
      exclusions: {},
    },
  ]);
}

/** Returns how many times as long the statistics take with the histories of all runs. */
async function measureStatistics(): Promise<number> {
  const steps = [{ id: 'ask', kind: 'prompt', prompt: promptOfCase(0) }];
  const saysAnswer = { type: 'responseContains', needle: '21' };
  const tests = Array.from({ length: 10 }, (_, index) => ({
    title: `Warmth ${index}`,
    steps,
    assertions: [saysAnswer],
  }));
  const settings = { verdictPolicyDefaults: { repetitions: 5, passThreshold: 0.5 } };
  const suite = { name: 'Old', serverIds: [bench.serverId], model: benchModel, settings, tests };
  const { suiteId } = await bench.post('eval-suites', suite);
  const runId = String((await runToEnd({ suiteId }))['id']);
  await copyRun(bench.dataDir, runId, runsOfSuite);
  const withHistories = await costOfRead(runId, runsOfSuite);
  await forgetHistories(bench.dataDir, runId);
  const without = await costOfRead(runId, 1);
  const [all, former] = [withHistories, without].map(({ service, postgres }) => service + postgres);
  const times = (all ?? Number.NaN) / (former ?? Number.NaN);
  const costText = ({ service, postgres }: CostOfRead) =>
    `${service.toFixed(1)} ms CPU and ${postgres.toFixed(1)} of PostgreSQL`;
  console.log(
    `statistics of a suite with ${runsOfSuite} runs of 10 cases and 5 trials: ${costText(withHistories)}, ${times.toFixed(2)} times that without their histories (${costText(without)}; aim: at most ${aims.statistics})`,
  );
  return times;
}

interface CostOfRead {
  readonly service: number;
  readonly postgres: number;
}

interface Statistics {
  readonly cases: readonly { readonly history: { readonly runs: number } | null }[];
}

/** Returns the CPU of each reading, in milliseconds. */
async function costOfRead(runId: string, expectedRuns: number): Promise<CostOfRead> {
  const path = `eval-runs/${runId}/statistics`;
  const { cases: read } = (await bench.get(path)) as unknown as Statistics;
  if (!read.every(({ history }) => history?.runs === expectedRuns)) {
    throw new Error(`The histories are others: ${JSON.stringify(read)}`);
  }
  const readAgain = async (readings: number) => {
    for (let reading = 0; reading < readings; reading += 1) await bench.get(path);
  };
  // The first readings compile the code.
  await readAgain(40);
  const figure = await bench.measure(readingsOfStatistics, () => readAgain(readingsOfStatistics));
  const { cpuMicroseconds, postgresMicroseconds = 0 } = figure;
  return { service: cpuMicroseconds / 1000, postgres: postgresMicroseconds / 1000 };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
