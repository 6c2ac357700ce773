/**
 * Measures replayed trials:
 * - the cost of a fully recorded trial compared with a live trial (aim: at most a quarter);
 * - the cost that recording adds to a live trial (aim: at most a tenth);
 * - the cost per trial of 10,000 replayed trials compared with 2,500.
 * The cost is the CPU from the launch of a run to its decision, divided by its trials. Live and
 * replayed runs alternate, and the median ratio of the rounds is printed.
 */
import { loadavg } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import { atOnce, type Figure, figureLine, startBesideBareLoop } from './beside-bare-loop.ts';

const trials = Number(process.env['BENCH_TRIALS'] ?? 10_000);
const perRound = Number(process.env['BENCH_ROUND_TRIALS'] ?? 1000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const cases = 100;
const sides = { model: 'recorded', servers: 'recorded' };

const bench = await startBesideBareLoop({
  PROOFMARK_TRIALS_AT_ONCE: String(atOnce),
  PROOFMARK_TRIALS_PER_RUN: String(atOnce),
});
try {
  const suites = { off: await createSuite('off', 'trial'), all: await createSuite('all', 'trial') };
  await measureRounds(suites);
  await measureMany(await createSuite('all', 'run'));
} finally {
  await bench.stop();
}

interface Suites {
  readonly off: string;
  readonly all: string;
}

async function measureRounds(suites: Suites): Promise<void> {
  const figures: Record<'off' | 'all' | 'replayed', Figure[]> = { off: [], all: [], replayed: [] };
  // The first round only warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const [off] = await measureRun(suites.off, perRound);
    const [all, runId] = await measureRun(suites.all, perRound);
    const [replayed] = await measureRun(suites.all, perRound, { runId, ...sides });
    if (round === 0) continue;
    figures.off.push(off);
    figures.all.push(all);
    figures.replayed.push(replayed);
  }
  const { off, all, replayed } = figures;
  console.log(
    [
      `Two prompts with the lexical model, ${atOnce} at once, median of ${rounds}, Node ${process.version}, ${load()}`,
      figureLine('not kept', perRound, 'trials', middle(off)),
      figureLine('recorded', perRound, 'trials', middle(all)),
      figureLine('replayed', perRound, 'trials', middle(replayed)),
      timesLine('replay', replayed, off, 'the CPU of a live trial (aim: at most 0.25)'),
      timesLine('recording', all, off, 'the CPU of a live trial (aim: at most 1.10)'),
    ].join('\n'),
  );
}

async function measureMany(suiteId: string): Promise<void> {
  const [live, runId] = await measureRun(suiteId, trials);
  console.log(`${figureLine('recorded', trials, 'trials', live)}, ${load()}`);
  const measured: Figure[] = [];
  for (const count of [trials / 4, trials / 2, trials]) {
    const [figure] = await measureRun(suiteId, count, { runId, ...sides });
    measured.push(figure);
    console.log(`${figureLine('replayed', count, 'trials', figure)}, ${load()}`);
  }
  const what = `the CPU for each of ${trials} replayed trials as of ${trials / 4}`;
  console.log(timesLine('linear', measured.slice(-1), measured.slice(0, 1), what));
}

async function measureRun(
  suiteId: string,
  count: number,
  replay?: object,
): Promise<[Figure, string]> {
  let runId = '';
  const figure = await bench.measure(count, async () => {
    runId = await runToEnd({ suiteId, iterationOverride: count / cases, replay }, count);
  });
  return [figure, runId];
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

async function createSuite(recordings: 'all' | 'off', sessions: 'trial' | 'run'): Promise<string> {
  const tests = Array.from({ length: cases }, (_, index) => {
    const city = `Brno ${index}`;
    const called = (toolName: string, args: object) => ({
      kind: 'assert',
      assertion: { type: 'toolCalledWith', toolName, args: { args } },
    });
    return {
      title: `Weather ${index}`,
      steps: [
        { id: 'ask', kind: 'prompt', prompt: `Get structured content for the city "${city}".` },
        { id: 'asked', ...called('structured', { city }) },
        { id: 'echo', kind: 'prompt', prompt: `Echo the text "It is cold in ${city}".` },
        { id: 'echoed', ...called('echo', { text: `It is cold in ${city}` }) },
        { id: 'said', kind: 'assert', assertion: { type: 'responseContains', needle: 'cold' } },
      ],
    };
  });
  const settings = { recordings, sessions };
  const model = 'proofmark/lexical-1';
  const suite = {
    name: `${recordings} ${sessions}`,
    serverIds: [bench.serverId],
    model,
    settings,
    tests,
  };
  return String((await bench.post('eval-suites', suite))['suiteId']);
}

type Counted = 'cpuMicroseconds' | 'withPostgres';

function microseconds(figure: Figure, counted: Counted): number {
  const { cpuMicroseconds, postgresMicroseconds = 0 } = figure;
  return cpuMicroseconds + (counted === 'withPostgres' ? postgresMicroseconds : 0);
}

function timesLine(
  name: string,
  ones: readonly Figure[],
  others: readonly Figure[],
  what: string,
): string {
  const times = (counted: Counted) => {
    const ratios = ones.map((one, round) => {
      const other = others[round] as Figure;
      return microseconds(one, counted) / microseconds(other, counted);
    });
    return (median(ratios) ?? 0).toFixed(2);
  };
  return `${name.padEnd(17)}${times('cpuMicroseconds')} times ${what}, ${times('withPostgres')} with PostgreSQL`;
}

function middle(figures: readonly Figure[]): Figure {
  const cpu = median(figures.map(({ cpuMicroseconds }) => cpuMicroseconds));
  return figures.find(({ cpuMicroseconds }) => cpuMicroseconds === cpu) as Figure;
}

/** Of an even number of values, returns the lower of the two middle ones. */
function median(values: readonly number[]): number | undefined {
  return [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) / 2)];
}

function load(): string {
  return `load ${(loadavg()[0] ?? 0).toFixed(1)}`;
}
