import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { startProofmark } from '@proofmark/harness/journeys/start-proofmark.ts';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { createTestDatabase } from '@proofmark/harness/test-database.ts';
import { call, type TestAnswer } from '@proofmark/harness/test-service.ts';
import { createOperator } from '../../packages/server/src/main/operator.ts';
import { openDatabase } from '../../packages/server/src/platform/database/database.ts';
import { createVault } from '../../packages/server/src/platform/vault/vault.ts';

export interface MeasuredService {
  readonly url: string;
  tenant(name: string): Promise<MeasuredTenant>;
  /**
   * Measures the effect of the work on the process: the growth of its memory and the longest stall
   * of its event loop.
   */
  measure<Result>(work: () => Promise<Result>): Promise<Measured<Result>>;
  output(): string;
  stop(): Promise<void>;
}

export interface MeasuredTenant {
  server(
    fields: Readonly<Record<string, unknown>>,
  ): Promise<(operation: string, body?: object) => Promise<TestAnswer>>;
  ask(path: string, request?: { method?: string; body?: unknown }): Promise<TestAnswer>;
}

export interface Measured<Result> {
  readonly result: Result;
  readonly grownMegabytes: number;
  /**
   * The longest stall, in parses of a JSON text of 128 KB. One parse takes about a millisecond on a
   * usual machine.
   */
  readonly stalledReadings: number;
}

export async function startMeasuredService(
  environment: Readonly<Record<string, string>> = {},
): Promise<MeasuredService> {
  const testDatabase = await createTestDatabase();
  const directory = temporaryDirectory();
  const key = randomBytes(32);
  const stallFile = `${directory.path}/stalls`;
  writeFileSync(stallFile, '');
  const started = await startProofmark({
    folder: directory.path,
    parameters: ['serve', '--json', '--port', '0', '--data-dir', `${directory.path}/data`],
    environment: {
      PROOFMARK_DATABASE_URL: testDatabase.url,
      PROOFMARK_SECRET_KEY: key.toString('hex'),
      PROOFMARK_METRICS_TOKEN: metricsToken,
      PROOFMARK_RATE_LIMIT: 'off',
      PROOFMARK_WORKER: 'off',
      NODE_OPTIONS: `--import ${probe}`,
      STALL_FILE: stallFile,
      ...environment,
    },
  }).catch(async (error) => {
    await testDatabase.drop();
    directory.remove();
    throw error;
  });
  const vault = createVault(key);
  const owner = openDatabase({ url: testDatabase.url, vault, as: 'owner', maxConnections: 2 });
  const operator = createOperator(owner, started.url);
  return {
    url: started.url,
    output: () => started.stdout() + started.stderr(),
    async tenant(name) {
      const made = await operator.bootstrap({ email: `owner@${name}.example`, organization: name });
      return tenantOf(started.url, made);
    },
    measure: (work) => measure(started.url, stallFile, work),
    async stop() {
      await started.stop();
      await owner.close();
      await testDatabase.drop();
      directory.remove();
    },
  };
}

const probe = new URL('./stall-probe.mjs', import.meta.url).href;
const metricsToken = 'metrics-token-of-the-hostile-set';
const sampleEveryMs = 150;
let serverCount = 0;

function tenantOf(
  serviceUrl: string,
  { projectId, apiKey }: { projectId: string; apiKey: string },
): MeasuredTenant {
  const base = `${serviceUrl}/api/v1/projects/${projectId}`;
  const ask: MeasuredTenant['ask'] = (path, request = {}) =>
    call(`${base}${path}`, { key: apiKey, ...request });
  return {
    ask,
    async server(fields) {
      serverCount += 1;
      const body = { name: `S${serverCount}`, enabled: true, transportType: 'http', ...fields };
      const saved = await ask('/servers', { method: 'POST', body });
      if (saved.status !== 201) throw new Error(`The server was not saved: ${saved.text}`);
      return (operation, input = {}) =>
        ask(`/servers/${saved.body.id}/${operation}`, { method: 'POST', body: input });
    },
  };
}

async function measure<Result>(
  url: string,
  stallFile: string,
  work: () => Promise<Result>,
): Promise<Measured<Result>> {
  const before = await residentMegabytes(url);
  const startedAt = Date.now();
  let most = before;
  const over = new AbortController();
  const sampling = (async () => {
    do {
      await after(sampleEveryMs, undefined, { signal: over.signal }).catch(() => undefined);
      most = Math.max(most, await residentMegabytes(url));
    } while (!over.signal.aborted);
  })();
  const result = await work().finally(() => {
    over.abort();
    return sampling;
  });
  return {
    result,
    grownMegabytes: most - before,
    stalledReadings: longestStall(stallFile, startedAt),
  };
}

async function residentMegabytes(url: string): Promise<number> {
  const { text, status } = await call(`${url}/metrics`, { key: metricsToken });
  if (status !== 200) throw new Error(`There are no metrics: ${status}`);
  return metric(text, 'proofmark_process_resident_memory_bytes') / 1e6;
}

function longestStall(stallFile: string, since: number): number {
  const stalls = readFileSync(stallFile, 'utf8').split('\n').filter(Boolean);
  return stalls
    .map((line) => line.split(' ').map(Number) as [number, number])
    .filter(([at]) => at >= since)
    .reduce((longest, [, stalledReadings]) => Math.max(longest, stalledReadings), 0);
}

function metric(text: string, name: string): number {
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return Number(found);
}
