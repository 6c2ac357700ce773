/**
 * Starts an installation on this machine: PostgreSQL, a service without a worker, and workers as
 * separate processes. A model with a configurable delay and an MCP server run beside it.
 */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ProofmarkProcess } from '@proofmark/harness/journeys/start-proofmark.ts';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { startChild } from '@proofmark/harness/start-child.ts';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import {
  type Database,
  openDatabase,
} from '../../packages/server/src/platform/database/database.ts';
import { urlForRole } from '../../packages/server/src/platform/database/url-for-role.ts';
import { startEmbeddedPostgres } from '../../packages/server/src/platform/embedded/embedded-postgres.ts';
import { serviceRoleOf } from '../../packages/server/src/platform/migrations/service-grants.ts';
import { createVault } from '../../packages/server/src/platform/vault/vault.ts';
import { trialSuite } from '../trial-suite.ts';

export const slotsEach = 8;

export interface Stage {
  readonly url: string;
  readonly serviceUrl: string;
  readonly cluster: string;
  readonly logFile: string;
  readonly owner: Database;
  readonly pids: { readonly service: number; readonly model: number; readonly server: number };
  readonly api: { readonly url: string; readonly apiKey: string; readonly projectId: string };
  readonly workers: readonly ProofmarkProcess[];
  startWorkers(count: number): Promise<void>;
  stopWorkers(): Promise<void>;
  /**
   * Executes concurrent runs of `trials` trials each. Returns the seconds from the first trial's
   * start to the last trial's end.
   */
  runTrials(model: string, trials: number, runs?: number): Promise<number>;
  launch(model: string, trials: number): Promise<string>;
  cancel(runId: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startStage(modelMs: readonly number[]): Promise<Stage> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    return await build(modelMs, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: each step starts one part of the stage from the parts before it, and they are stopped in the reverse order.
async function build(
  modelMs: readonly number[],
  stops: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<Stage> {
  const directory = temporaryDirectory(0o755);
  stops.push(async () => directory.remove());
  const dataDir = `${directory.path}/database`;
  const cluster = await startEmbeddedPostgres({ dataDir, settings: { max_connections: '400' } });
  stops.push(() => cluster.stop());
  const { url } = cluster;
  const [server, model] = [
    startChild(beside('../mcp-server.child.ts'), []),
    startChild(beside('../model-server.child.ts'), modelMs.map(String)),
  ];
  for (const child of [server, model]) {
    stops.push(async () => {
      child.kill('SIGTERM');
      await child.closed;
    });
  }
  const workspace = createTestWorkspace(tmpdir());
  stops.push(() => workspace.remove());
  const modelUrl = String((await model.first)['url']);
  writeConfig(workspace.folder, modelUrl, modelMs);
  const secretKey = randomBytes(32);
  const settings = {
    PROOFMARK_SECRET_KEY: secretKey.toString('base64'),
    PROOFMARK_RATE_LIMIT: 'off',
    PROOFMARK_CONCURRENT_RUNS: '1000',
    PROOFMARK_TRIALS_AT_ONCE: String(slotsEach),
    PROOFMARK_TRIALS_PER_RUN: String(slotsEach),
    PROOFMARK_LOG_LEVEL: 'warn',
  };
  const flags = ['--database-url', url];
  const service = await workspace.serve([...flags, '--no-worker'], settings);
  const who = ['--email', 'bench@example.com', '--organization', 'Bench'];
  const made = await workspace.run(['admin', 'bootstrap', '--json', ...flags, ...who], settings);
  if (made.code !== 0) throw new Error(made.stderr);
  const { apiKey, projectId } = JSON.parse(made.stdout) as { apiKey: string; projectId: string };
  const api = { url: service.url, apiKey, projectId };
  const owner = openDatabase({
    url,
    vault: createVault(Buffer.alloc(32)),
    as: 'owner',
    maxConnections: 2,
  });
  stops.push(() => owner.close());
  const ask = askOf(api);
  const serverUrl = String((await server.first)['url']);
  const fields = { name: 'Bench', enabled: true, transportType: 'http', url: serverUrl };
  const serverId = (await ask('servers', fields))['id'] as string;
  const suites = new Map<string, string>();
  const suiteOf = async (name: string, trials: number) => {
    const key = `${name} ${trials}`;
    const suite = {
      name: key,
      serverId,
      trials,
      sessions: 'trial',
      model: `bench/${name}`,
    } as const;
    const id =
      suites.get(key) ?? ((await ask('eval-suites', trialSuite(suite)))['suiteId'] as string);
    suites.set(key, id);
    return id;
  };
  const launch: Stage['launch'] = async (name, trials) =>
    (await ask('eval-runs', { suiteId: await suiteOf(name, trials) }))['runId'] as string;
  const workers: ProofmarkProcess[] = [];
  return {
    serviceUrl: urlForRole(url, {
      name: serviceRoleOf('proofmark'),
      password: createVault(secretKey).lasting.databasePassword.toString('base64url'),
    }),
    url,
    cluster: cluster.dataDir,
    logFile: `${dataDir}/postgres.log`,
    owner,
    api,
    workers,
    pids: { service: service.pid, model: model.pid, server: server.pid },
    async startWorkers(count) {
      while (workers.length < count) {
        // The log shows this `application_name`, which distinguishes the workers' connections from
        // others.
        const named = ['--database-url', `${url}?application_name=worker`];
        const worker = workspace.spawn(['work', ...named], settings);
        workers.push(worker);
        await until(() => worker.stdout().includes('ready'), 'the worker is ready', 60_000);
      }
    },
    async stopWorkers() {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    },
    launch,
    cancel: async (runId) => void (await ask(`eval-runs/${runId}/cancel`, {})),
    async runTrials(name, trials, runs = 1) {
      await suiteOf(name, trials);
      const launched = await Promise.all(Array.from({ length: runs }, () => launch(name, trials)));
      return secondsOf(owner, launched, trials);
    },
    stop,
  };
}

async function secondsOf(owner: Database, runIds: string[], trials: number): Promise<number> {
  for (;;) {
    await after(200);
    const [row] = await owner.sql<{ open: number; passed: number; seconds: number }[]>`
      select count(*) filter (where completed_at is null)::integer as open,
        (count(*) filter (where result = 'passed' and iteration_count = ${trials}))::integer as passed,
        extract(epoch from max(completed_at) - min(started_at))::double precision as seconds
      from eval_runs where id = any (${runIds})`;
    if (row === undefined || row.open > 0) continue;
    if (row.passed < runIds.length) throw new Error('A run did not pass.');
    return row.seconds;
  }
}

function askOf(api: Stage['api']) {
  return async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${api.url}/api/v1/projects/${api.projectId}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return JSON.parse(text) as Record<string, unknown>;
  };
}

function writeConfig(folder: string, baseUrl: string, modelMs: readonly number[]): void {
  const models = ['bench', ...modelMs.map((ms) => `bench-${ms}`)].map((name) => ({ name }));
  const provider = { name: 'bench', kind: 'openai-compatible', baseUrl, models };
  writeFileSync(`${folder}/proofmark.config.json`, JSON.stringify({ modelProviders: [provider] }));
}

function beside(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
