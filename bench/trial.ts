/**
 * Measures the cost of a trial: model, tool, model, then grading and storing. The baseline is a
 * bare loop that makes the same calls. The cost is counted from the launch of a run to its
 * decision, divided by its trials. Both alternate, and the better of two rounds counts.
 */
import { setTimeout as after } from 'node:timers/promises';
import {
  atOnce,
  benchModel,
  best,
  type Figure,
  figureLine,
  linearLine,
  ratioLine,
  startBesideBareLoop,
} from './beside-bare-loop.ts';
import { trialSuite } from './trial-suite.ts';

const trials = Number(process.env['BENCH_TRIALS'] ?? 10_000);
const fewTrials = 100;
const warmUpTrials = Math.min(2000, trials);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 2);
const onlyAssertions = process.env['BENCH_ONLY'] === 'assertions';

const bench = await startBesideBareLoop({
  PROOFMARK_TRIALS_AT_ONCE: String(atOnce),
  PROOFMARK_TRIALS_PER_RUN: String(atOnce),
});
try {
  if (!onlyAssertions) await measureBesideBareLoop();
  await measureAssertions();
} finally {
  await bench.stop();
}

async function measureBesideBareLoop(): Promise<void> {
  const suites = {
    few: await createSuite('few', fewTrials, 'trial'),
    warmUp: await createSuite('warm up', warmUpTrials, 'trial'),
    many: await createSuite('many', trials, 'trial'),
    shared: await createSuite('shared', trials, 'run'),
  };
  await measureRuns(suites.warmUp, warmUpTrials, 1);
  const rounded = { bare: [], bareShared: [], few: [], many: [], shared: [] } as Record<
    'bare' | 'bareShared' | 'few' | 'many' | 'shared',
    Figure[]
  >;
  const bareLoop = { count: trials, warmUp: warmUpTrials, turns: 1 };
  for (let round = 0; round < rounds; round += 1) {
    rounded.bare.push(await bench.measureBare({ ...bareLoop, sessions: 'trial' }));
    rounded.few.push(await measureRuns(suites.few, fewTrials, 10));
    rounded.many.push(await measureRuns(suites.many, trials, 1));
    rounded.bareShared.push(await bench.measureBare({ ...bareLoop, sessions: 'run' }));
    rounded.shared.push(await measureRuns(suites.shared, trials, 1));
  }
  const [bare, few, many] = [best(rounded.bare), best(rounded.few), best(rounded.many)];
  const [bareShared, shared] = [best(rounded.bareShared), best(rounded.shared)];
  console.log(
    [
      `A trial of model, tool, model, ${atOnce} at once, best of ${rounds}, Node ${process.version}`,
      'Every trial with a session of its own:',
      figureLine('bare loop', trials, 'trials', bare),
      figureLine('Proofmark', fewTrials, 'trials', few),
      figureLine('Proofmark', trials, 'trials', many),
      ratioLine(many, bare),
      linearLine('trial', { count: trials, figure: many }, { count: fewTrials, figure: few }),
      'All trials with one session:',
      figureLine('bare loop', trials, 'trials', bareShared),
      figureLine('Proofmark', trials, 'trials', shared),
      ratioLine(shared, bareShared),
    ].join('\n'),
  );
}

async function measureAssertions(): Promise<void> {
  const suites = {
    warmUp: await createSuite('warm up of ten', warmUpTrials, 'trial', 10),
    one: await createSuite('one assertion', trials, 'trial', 1),
    ten: await createSuite('ten assertions', trials, 'trial', 10),
  };
  await measureRuns(suites.warmUp, warmUpTrials, 1);
  const rounded: Record<'one' | 'ten', Figure[]> = { one: [], ten: [] };
  for (let round = 0; round < rounds; round += 1) {
    rounded.one.push(await measureRuns(suites.one, trials, 1));
    rounded.ten.push(await measureRuns(suites.ten, trials, 1));
  }
  const [one, ten] = [best(rounded.one), best(rounded.ten)];
  const times = ten.cpuMicroseconds / one.cpuMicroseconds;
  console.log(
    [
      'Cases with one assertion, and with ten:',
      figureLine('one', trials, 'trials', one),
      figureLine('ten', trials, 'trials', ten),
      `Ten assertions take ${times.toFixed(2)} times the CPU of one.`,
    ].join('\n'),
  );
}

function measureRuns(suiteId: string, perRun: number, runs: number): Promise<Figure> {
  return bench.measure(perRun * runs, async () => {
    for (let count = 0; count < runs; count += 1) await runToEnd(suiteId, perRun);
  });
}

async function runToEnd(suiteId: string, expected: number): Promise<void> {
  const { runId } = await bench.post('eval-runs', { suiteId });
  const betweenLooksMs = Math.min(1000, Math.max(50, expected / 4));
  for (;;) {
    await after(betweenLooksMs);
    const run = await bench.get(`eval-runs/${runId}`);
    if (run['completedAt'] === null) continue;
    const { passed } = run['summary'] as { passed: number };
    if (run['result'] === 'passed' && passed === expected) return;
    throw new Error(`A run ended otherwise: ${JSON.stringify(run)}`);
  }
}

async function createSuite(
  name: string,
  count: number,
  sessions: 'trial' | 'run',
  assertions?: 1 | 10,
): Promise<string> {
  const { serverId } = bench;
  const asserted = assertions === undefined ? {} : { assertions };
  const suite = { name, serverId, trials: count, sessions, model: benchModel, ...asserted };
  const fields = trialSuite(suite);
  return String((await bench.post('eval-suites', fields))['suiteId']);
}
