/**
 * What a trial costs beyond its calls: model, tool, model, graded, with its trace and its chain kept in PostgreSQL,
 * beside a bare loop that makes the same calls with all tools of the same server and keeps nothing. Both open a session
 * for every trial and list its tools; beside it, what both cost where all trials share one session. Model, MCP server,
 * service and bare loop are processes of their own. Counted is the CPU of the service, which runs the worker, from the
 * launch of a run to its decision, over the number of its trials; that of PostgreSQL is told beside it. The same number
 * of trials at once on both sides, in turn, best of two rounds.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startChild } from '@proofmark/harness/start-child.ts';
import { postgresCpuSeconds } from './postgres-cpu.ts';
import { startService } from './processes.ts';
import { trialSuite } from './trial-suite.ts';

const trials = Number(process.env['BENCH_TRIALS'] ?? 10_000);
const fewTrials = 100;
const warmUpTrials = Math.min(2000, trials);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 2);
const atOnce = 8;

interface Figure {
  readonly cpuMicroseconds: number;
  readonly postgresMicroseconds?: number;
  readonly seconds: number;
}

const folder = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
const server = startChild(beside('./mcp-server.child.ts'), []);
const model = startChild(beside('./model-server.child.ts'), []);
const modelUrl = String((await model.first)['url']);
const serverUrl = String((await server.first)['url']);
const config = join(folder, 'proofmark.config.json');
const provider = { name: 'bench', kind: 'openai-compatible', baseUrl: modelUrl };
const models = [{ name: 'bench' }];
writeFileSync(config, JSON.stringify({ modelProviders: [{ ...provider, models }] }));
const service = await startService({
  PROOFMARK_CONFIG: config,
  PROOFMARK_TRIALS_AT_ONCE: String(atOnce),
  PROOFMARK_TRIALS_PER_RUN: String(atOnce),
});
const api = `${service.url}/api/v1/projects/${service.projectId}`;
try {
  const serverId = (await post('servers', serverFields(serverUrl)))['id'] as string;
  const suites = {
    few: await createSuite('few', serverId, fewTrials, 'trial'),
    warmUp: await createSuite('warm up', serverId, warmUpTrials, 'trial'),
    many: await createSuite('many', serverId, trials, 'trial'),
    shared: await createSuite('shared', serverId, trials, 'run'),
  };
  await measureRuns(suites.warmUp, warmUpTrials, 1);
  const rounded = { bare: [], bareShared: [], few: [], many: [], shared: [] } as Record<
    'bare' | 'bareShared' | 'few' | 'many' | 'shared',
    Figure[]
  >;
  for (let round = 0; round < rounds; round += 1) {
    rounded.bare.push(await measureBare('trial'));
    rounded.few.push(await measureRuns(suites.few, fewTrials, 10));
    rounded.many.push(await measureRuns(suites.many, trials, 1));
    rounded.bareShared.push(await measureBare('run'));
    rounded.shared.push(await measureRuns(suites.shared, trials, 1));
  }
  const [bare, few, many] = [best(rounded.bare), best(rounded.few), best(rounded.many)];
  const [bareShared, shared] = [best(rounded.bareShared), best(rounded.shared)];
  console.log(
    [
      `A trial of model, tool, model, ${atOnce} at once, best of ${rounds}, Node ${process.version}`,
      'Every trial with a session of its own:',
      line('bare loop', trials, bare),
      line('Proofmark', fewTrials, few),
      line('Proofmark', trials, many),
      ratio(many, bare),
      `linear           ${(many.cpuMicroseconds / few.cpuMicroseconds).toFixed(2)} times the CPU for each trial of ${trials} as of ${fewTrials}`,
      'All trials with one session:',
      line('bare loop', trials, bareShared),
      line('Proofmark', trials, shared),
      ratio(shared, bareShared),
    ].join('\n'),
  );
} finally {
  await service.stop();
  for (const child of [server, model]) {
    child.kill('SIGTERM');
    await child.closed;
  }
  rmSync(folder, { recursive: true, force: true });
}

async function measureBare(sessions: 'trial' | 'run'): Promise<Figure> {
  const parameters = [serverUrl, modelUrl, trials, atOnce, warmUpTrials, sessions].map(String);
  const bare = startChild(beside('./bare-trials.child.ts'), parameters);
  const figure = (await bare.first) as unknown as Figure;
  await bare.closed;
  return figure;
}

/** So many runs of the suite, one after the other. */
async function measureRuns(suiteId: string, perRun: number, runs: number): Promise<Figure> {
  const [cpuBefore, postgresBefore] = [await cpuSeconds(), postgresCpuSeconds(service.folder)];
  const startedAt = performance.now();
  for (let count = 0; count < runs; count += 1) await runToEnd(suiteId, perRun);
  const seconds = (performance.now() - startedAt) / 1000;
  const each = (from: number, to: number) => ((to - from) * 1e6) / (perRun * runs);
  const postgres = postgresCpuSeconds(service.folder);
  return {
    cpuMicroseconds: each(cpuBefore, await cpuSeconds()),
    ...(postgres !== undefined &&
      postgresBefore !== undefined && { postgresMicroseconds: each(postgresBefore, postgres) }),
    seconds,
  };
}

async function runToEnd(suiteId: string, expected: number): Promise<void> {
  const { runId } = await post('eval-runs', { suiteId });
  const betweenLooksMs = Math.min(1000, Math.max(50, expected / 4));
  for (;;) {
    await after(betweenLooksMs);
    const run = await answerOf(await fetch(`${api}/eval-runs/${runId}`, { headers: headers() }));
    if (run['completedAt'] === null) continue;
    const { passed } = run['summary'] as { passed: number };
    if (run['result'] === 'passed' && passed === expected) return;
    throw new Error(`A run ended otherwise: ${JSON.stringify(run)}`);
  }
}

async function createSuite(
  name: string,
  serverId: string,
  count: number,
  sessions: 'trial' | 'run',
): Promise<string> {
  const fields = trialSuite({ name, serverId, trials: count, sessions, model: 'bench/bench' });
  return (await post('eval-suites', fields))['suiteId'] as string;
}

function serverFields(url: string): object {
  return { name: 'Bench', enabled: true, transportType: 'http', url };
}

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const init = { method: 'POST', headers: headers(), body: JSON.stringify(body) };
  return answerOf(await fetch(`${api}/${path}`, init));
}

async function answerOf(answer: Response): Promise<Record<string, unknown>> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text) as Record<string, unknown>;
}

function headers(): Record<string, string> {
  return { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
}

async function cpuSeconds(): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^proofmark_process_cpu_seconds_total ([\d.e+-]+)/m.exec(text)?.[1]);
}

function best(figures: readonly Figure[]): Figure {
  return figures.reduce((one, other) =>
    other.cpuMicroseconds < one.cpuMicroseconds ? other : one,
  );
}

function ratio(ours: Figure, floor: Figure): string {
  const times = (ours.cpuMicroseconds / floor.cpuMicroseconds).toFixed(2);
  return `ratio            ${times} times the CPU of the bare loop (aim: at most 2.5)`;
}

function line(name: string, count: number, figure: Figure): string {
  const { cpuMicroseconds, postgresMicroseconds, seconds } = figure;
  const postgres =
    postgresMicroseconds === undefined
      ? ''
      : `, and ${postgresMicroseconds.toFixed(0)} µs of PostgreSQL`;
  const took = `${seconds.toFixed(1)} s`;
  return `${name.padEnd(11)}${String(count).padStart(7)} trials  ${cpuMicroseconds.toFixed(0)} µs CPU each${postgres} (${took})`;
}

function beside(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
