/**
 * Compares the service with a bare loop that makes the same calls and stores nothing. The compared
 * figure is the CPU of the service process, which also runs the worker. PostgreSQL's CPU is printed
 * separately.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '@proofmark/harness/start-child.ts';
import { postgresCpuSeconds } from './postgres-cpu.ts';
import { startService } from './processes.ts';

export interface Figure {
  readonly cpuMicroseconds: number;
  readonly postgresMicroseconds?: number;
  readonly seconds: number;
}

export interface BareLoop {
  readonly count: number;
  readonly warmUp: number;
  /**
   * `trial`: each trial opens its own session with the server. `run`: all trials share one session.
   */
  readonly sessions: 'trial' | 'run';
  readonly turns: number;
}

/** A file that starts a model server in a process of its own. */
export interface ModelServer {
  readonly file: string;
  readonly parameters: readonly string[];
}

export interface BesideBareLoop {
  /** The folder with the database of the service. */
  readonly dataDir: string;
  readonly serverId: string;
  get(path: string): Promise<Record<string, unknown>>;
  post(path: string, body: object): Promise<Record<string, unknown>>;
  put(path: string, body: object): Promise<Record<string, unknown>>;
  admin(...parameters: string[]): Promise<string>;
  measureBare(loop: BareLoop): Promise<Figure>;
  /** Runs `work`, which processes `count` items, and returns the cost per item. */
  measure(count: number, work: () => Promise<void>): Promise<Figure>;
  stop(): Promise<void>;
}

/** Number of concurrent trials or sessions. Proofmark and the bare loop use the same number. */
export const atOnce = 8;
export const benchModel = 'bench/bench';

export async function startBesideBareLoop(
  environment: Readonly<Record<string, string>>,
  modelServer: ModelServer = { file: './model-server.child.ts', parameters: [] },
): Promise<BesideBareLoop> {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
  const server = startChild(beside('./mcp-server.child.ts'), []);
  const model = startChild(beside(modelServer.file), [...modelServer.parameters]);
  const modelUrl = String((await model.first)['url']);
  const serverUrl = String((await server.first)['url']);
  const config = writeConfig(folder, modelUrl);
  const service = await startService({ PROOFMARK_CONFIG: config, ...environment });
  const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
  const ask = async (path: string, init: RequestInit) => {
    const url = `${service.url}/api/v1/projects/${service.projectId}/${path}`;
    const answer = await fetch(url, { ...init, headers });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const send =
    (method: 'POST' | 'PUT'): BesideBareLoop['post'] =>
    (path, body) =>
      ask(path, { method, body: JSON.stringify(body) });
  const post = send('POST');
  const cpuSeconds = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^proofmark_process_cpu_seconds_total ([\d.e+-]+)/m.exec(text)?.[1]);
  };
  const stop = async () => {
    await service.stop();
    for (const child of [server, model]) {
      child.kill('SIGTERM');
      await child.closed;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const saved = { name: 'Bench', enabled: true, transportType: 'http', url: serverUrl };
  const { id } = await post('servers', saved).catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    dataDir: service.folder,
    serverId: String(id),
    get: (path) => ask(path, {}),
    post,
    put: send('PUT'),
    admin: service.admin,
    async measureBare({ count, warmUp, sessions, turns }) {
      const parameters = [serverUrl, modelUrl, count, atOnce, warmUp, sessions, turns].map(String);
      const bare = startChild(beside('./bare-trials.child.ts'), parameters);
      const figure = (await bare.first) as unknown as Figure;
      await bare.closed;
      return figure;
    },
    async measure(count, work) {
      const [cpuBefore, postgresBefore] = [await cpuSeconds(), postgresCpuSeconds(service.folder)];
      const startedAt = performance.now();
      await work();
      const seconds = (performance.now() - startedAt) / 1000;
      const each = (from: number, to: number) => ((to - from) * 1e6) / count;
      const postgres = postgresCpuSeconds(service.folder);
      return {
        cpuMicroseconds: each(cpuBefore, await cpuSeconds()),
        ...(postgres !== undefined &&
          postgresBefore !== undefined && { postgresMicroseconds: each(postgresBefore, postgres) }),
        seconds,
      };
    },
    stop,
  };
}

function writeConfig(folder: string, modelUrl: string): string {
  const config = join(folder, 'proofmark.config.json');
  const provider = { name: 'bench', kind: 'openai-compatible', baseUrl: modelUrl };
  const models = [{ name: 'bench' }];
  writeFileSync(config, JSON.stringify({ modelProviders: [{ ...provider, models }] }));
  return config;
}

export function best(figures: readonly Figure[]): Figure {
  return figures.reduce((one, other) =>
    other.cpuMicroseconds < one.cpuMicroseconds ? other : one,
  );
}

export function ratioLine(ours: Figure, floor: Figure): string {
  const times = (ours.cpuMicroseconds / floor.cpuMicroseconds).toFixed(2);
  return `ratio            ${times} times the CPU of the bare loop (aim: at most 2.5)`;
}

export function figureLine(name: string, count: number, units: string, figure: Figure): string {
  const { cpuMicroseconds, postgresMicroseconds, seconds } = figure;
  const postgres =
    postgresMicroseconds === undefined
      ? ''
      : `, and ${postgresMicroseconds.toFixed(0)} µs of PostgreSQL`;
  const took = `${seconds.toFixed(1)} s`;
  return `${name.padEnd(11)}${String(count).padStart(7)} ${units}  ${cpuMicroseconds.toFixed(0)} µs CPU each${postgres} (${took})`;
}

export function linearLine(
  unit: string,
  many: { readonly count: number; readonly figure: Figure },
  few: { readonly count: number; readonly figure: Figure },
): string {
  const times = (many.figure.cpuMicroseconds / few.figure.cpuMicroseconds).toFixed(2);
  return `linear           ${times} times the CPU for each ${unit} of ${many.count} as of ${few.count}`;
}

function beside(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
