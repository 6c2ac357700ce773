/**
 * What an attempt at a trial costs. It counts when a worker died with the trial or failed at it, and not when the trial
 * was given back or the database was away.
 */
import { lexicalModelId } from '@proofmark/domain';
import { closeServers } from '@proofmark/harness/hostile-servers.ts';
import { createLauncher, type Launcher } from '@proofmark/harness/launcher.ts';
import { startScriptedServer } from '@proofmark/harness/scripted-mcp-server.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLog } from '../main/log.ts';
import { createMcpGateway } from '../mcp/create-mcp-gateway.ts';
import {
  createScriptedModel,
  type ModelScript,
  type ScriptedModel,
} from '../model/scripted-model.ts';
import { linearPatterns } from '../patterns/linear-patterns.ts';
import type { Database } from '../storage/database/database.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { OpenRuns } from './open-runs.ts';
import { runLane } from './run-lane.ts';

const mcp = createMcpGateway({
  egress: { allowLoopback: true, allowedPrivateHosts: [] },
  client: { name: 'proofmark-test', version: '1' },
});
const steps = [{ id: 'ask', kind: 'prompt', prompt: 'How many?' }];
const hangs: ModelScript = () => new Promise(() => undefined);
const answers: ModelScript = () => ({ text: 'Five.' });

let service: TestService;
let tenant: Tenant;
let launcher: Launcher;
let serverId: string;
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'attempted');
  launcher = createLauncher(service, tenant);
  const server = await startScriptedServer({ 'tools/list': { result: { tools: [] } } });
  // How a server is spoken to is fixed with the run; only whether there is a grant is asked by every trial.
  const shop = { name: 'Shop', enabled: true, transportType: 'http', useOAuth: true };
  const body = { ...shop, url: server.url };
  serverId = (await launcher.ask('POST', 'servers', body)).body.id;
});
afterAll(async () => {
  await mcp.close();
  await closeServers();
  await service.stop();
});

interface Lane {
  readonly runId: string;
  readonly model: ScriptedModel;
  readonly leaving: AbortController;
  /** Whether the database is to be away for the worker. */
  away(work: 'none' | 'all' | 'targets'): void;
  readonly done: Promise<void>;
}

/** A lane of a new run of one trial. */
async function startLane(script: ModelScript, awayFirst: 'none' | 'targets' = 'none') {
  const runId = await launcher.launch(
    launcher.inline({
      serverIds: [serverId],
      tests: [{ title: 'Counts', steps, model: lexicalModelId }],
    }),
  );
  const model = createScriptedModel(script, lexicalModelId);
  let away: 'none' | 'all' | 'targets' = awayFirst;
  let tenants = 0;
  // A lane claims, opens the run, lists its trials and begins one; then it asks for the grants of its servers.
  const database: Database = Object.create(service.database, {
    tenant: {
      value: (...asked: Parameters<Database['tenant']>) => {
        tenants += 1;
        const isAway = away === 'all' || (away === 'targets' && tenants > 4);
        if (!isAway) return service.database.tenant(...asked);
        return Promise.reject(Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' }));
      },
    },
  });
  const leaving = new AbortController();
  const dependencies = {
    ...{ database, mcp, models: model, patterns: linearPatterns, callsPerServer: 8 },
    log: createLog('info', { write: () => undefined }),
    stdioAddressOf: () => undefined,
    verifyEgress: async () => true,
  };
  const parts = { runs: new OpenRuns(dependencies), leases: new LeaseKeeper(database) };
  const job = {
    ...{ organizationId: tenant.organizationId, projectId: tenant.projectId, runId, lane: 1 },
  };
  const signals = { stopping: new AbortController().signal, leaving: leaving.signal };
  const lane: Lane = {
    ...{ runId, model, leaving },
    away: (work) => {
      away = work;
    },
    done: runLane(dependencies, parts, job, signals),
  };
  return lane;
}

async function trialOf(runId: string) {
  const [row] = await service.owner.sql<{ status: string; attempts: number; error: string }[]>`
    select status, attempts, error from eval_iterations where run_id = ${runId}`;
  return row;
}

async function end(runId: string): Promise<void> {
  await launcher.ask('POST', `eval-runs/${runId}/cancel`);
}

test('a trial that is given back because the process leaves has cost no attempt', async () => {
  const lane = await startLane(hangs);
  await vi.waitUntil(() => lane.model.requests.length === 1, { timeout: 5000 });
  expect(await trialOf(lane.runId)).toMatchObject({ status: 'running', attempts: 1 });
  lane.leaving.abort();
  await lane.done;
  expect(await trialOf(lane.runId)).toMatchObject({ status: 'running', attempts: 0 });
  await end(lane.runId);
});

test('a trial whose lease ran out while the database was away has cost no attempt', async () => {
  const lane = await startLane(hangs);
  await vi.waitUntil(() => lane.model.requests.length === 1, { timeout: 5000 });
  let isOver = false;
  void lane.done.then(() => {
    isOver = true;
  });
  lane.away('all');
  // Longer than a lease lasts.
  await new Promise((resolve) => setTimeout(resolve, 7500));
  expect(isOver).toBe(false);
  lane.away('none');
  await lane.done;
  expect(await trialOf(lane.runId)).toMatchObject({ attempts: 0 });
  await end(lane.runId);
}, 20_000);

test('a trial that ends with an error of the kind a cut connection gives is tried as often as any', async () => {
  const lane = await startLane(() => {
    throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
  });
  await lane.done;
  expect(lane.model.requests).toHaveLength(4);
  const trial = await trialOf(lane.runId);
  expect(trial).toMatchObject({ status: 'failed' });
  expect(trial?.error).toContain('Proofmark itself could not run this trial; it tried 4 times.');
});

test('a database that is away when a trial asks for a grant is waited for, and repeats nothing', async () => {
  const lane = await startLane(answers, 'targets');
  // Longer than all attempts at a trial take.
  await new Promise((resolve) => setTimeout(resolve, 3500));
  expect(lane.model.requests).toHaveLength(0);
  lane.away('none');
  await lane.done;
  expect(lane.model.requests).toHaveLength(1);
  expect(await trialOf(lane.runId)).toMatchObject({ status: 'completed', attempts: 1 });
}, 20_000);
