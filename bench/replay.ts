/**
 * What a trial costs that is replayed with both sides recorded, beside a live one with the model of this machine in the same
 * run of this bench (aim: at most a quarter), whether 10,000 replayed trials cost as much each as a few, and what recording adds
 * to a live trial (aim: at most a tenth). Counted is the CPU of the service, which runs the worker, from the launch of a
 * run to its decision, over the number of its trials. In turn, best of the rounds.
 */
import { setTimeout as after } from 'node:timers/promises';
import {
  atOnce,
  benchModel,
  best,
  type Figure,
  figureLine,
  linearLine,
  startBesideBareLoop,
} from './beside-bare-loop.ts';
import { trialSuite } from './trial-suite.ts';

const trials = Number(process.env['BENCH_TRIALS'] ?? 10_000);
const fewTrials = Math.min(1000, trials);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 2);
const sides = { model: 'recorded', servers: 'recorded' };

const bench = await startBesideBareLoop({
  PROOFMARK_TRIALS_AT_ONCE: String(atOnce),
  PROOFMARK_TRIALS_PER_RUN: String(atOnce),
});
try {
  await measureReplay();
} finally {
  await bench.stop();
}

async function measureReplay(): Promise<void> {
  const [few, many] = [await createSuite('few', fewTrials), await createSuite('many', trials)];
  const off = await createSuite('not recorded', trials, { recordings: 'off' });
  const fewRun = await runToEnd({ suiteId: few }, fewTrials);
  await runToEnd({ suiteId: off }, trials);
  const rounded = { off: [], live: [], few: [], many: [] } as Record<string, Figure[]>;
  const keep = async (name: string, body: object, count: number, runs = 1) => {
    let runId = '';
    const figure = await bench.measure(count * runs, async () => {
      for (let run = 0; run < runs; run += 1) runId = await runToEnd(body, count);
    });
    rounded[name]?.push(figure);
    return runId;
  };
  for (let round = 0; round < rounds; round += 1) {
    await keep('off', { suiteId: off }, trials);
    const runId = await keep('live', { suiteId: many }, trials);
    const replay = { runId: fewRun, ...sides };
    await keep('few', { suiteId: few, replay }, fewTrials, Math.ceil(trials / fewTrials / 2));
    await keep('many', { suiteId: many, replay: { runId, ...sides } }, trials);
  }
  const of = (name: string) => best(rounded[name] ?? []);
  const [replayed, live] = [of('many'), of('live')];
  console.log(
    [
      `A trial of model, tool, model, ${atOnce} at once, best of ${rounds}, Node ${process.version}`,
      figureLine('not kept', trials, 'trials', of('off')),
      figureLine('recorded', trials, 'trials', live),
      figureLine('replayed', fewTrials, 'trials', of('few')),
      figureLine('replayed', trials, 'trials', replayed),
      `replay           ${times(replayed, live)} times the CPU of a live trial (aim: at most 0.25)`,
      `recording        ${times(live, of('off'))} times the CPU of a live trial (aim: at most 1.10)`,
      linearLine(
        'trial',
        { count: trials, figure: replayed },
        { count: fewTrials, figure: of('few') },
      ),
    ].join('\n'),
  );
}

function times(one: Figure, other: Figure): string {
  return (one.cpuMicroseconds / other.cpuMicroseconds).toFixed(2);
}

async function runToEnd(body: object, expected: number): Promise<string> {
  const { runId } = await bench.post('eval-runs', body);
  for (;;) {
    await after(Math.min(1000, Math.max(50, expected / 4)));
    const run = await bench.get(`eval-runs/${runId}`);
    if (run['completedAt'] === null) continue;
    const { passed } = run['summary'] as { passed: number };
    if (run['result'] === 'passed' && passed === expected) return String(runId);
    throw new Error(`A run ended otherwise: ${JSON.stringify(run)}`);
  }
}

async function createSuite(name: string, count: number, settings: object = {}): Promise<string> {
  const { serverId } = bench;
  const fields = trialSuite({
    ...{ name, serverId, trials: count, sessions: 'trial', model: benchModel },
  }) as { settings: object };
  const suite = { ...fields, settings: { ...fields.settings, ...settings } };
  return String((await bench.post('eval-suites', suite))['suiteId']);
}
