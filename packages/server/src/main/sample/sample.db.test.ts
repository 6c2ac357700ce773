import { lexicalModelId } from '@proofmark/domain';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker, type TestWorker } from '@proofmark/harness/test-worker.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  moveSample,
  readSample,
  readSampleUrl,
  type Sample,
} from '../../features/evals/store/sample.ts';
import { createModelGateway } from '../../outside/model/create-model-gateway.ts';
import type { ModelGateway } from '../../outside/model/model-gateway.ts';
import { claimInstallation } from '../../platform/database/installation.ts';
import { defaultRunLimits } from '../../platform/spending/run-limits.ts';
import type { SampleReport } from './run-sample.ts';
import { sampleSuite } from './sample-suite.ts';
import { startSample } from './start-sample.ts';

let service: TestService;
let models: ModelGateway;
let worker: TestWorker;

beforeAll(async () => {
  service = await startTestService();
  await claimInstallation(service.owner);
  await service.operator.bootstrap({ email: 'owner@sample.example', organization: 'Sample' });
  models = createModelGateway({ egress: { allowLoopback: true, allowedPrivateHosts: [] } });
  worker = await startTestWorker(service, models);
});
afterAll(async () => {
  await worker.stop();
  await models.close();
  await service.stop();
});

async function start(hasWorker = true): Promise<SampleReport | undefined> {
  const started = await startSample(service.owner, { widgets: false });
  try {
    const { database } = service;
    return await started.report({ database, models, limits: defaultRunLimits, worker: hasWorker });
  } finally {
    await started.stop();
  }
}

async function count(table: 'servers' | 'eval_suites' | 'eval_cases' | 'eval_runs') {
  const { sql } = service.owner;
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ${sql(table)}`;
  return row?.n;
}

describe('the first start', () => {
  test('without a worker makes server and suite and launches nothing', async () => {
    expect(await start(false)).toBeUndefined();
    expect(await count('servers')).toBe(1);
    expect(await count('eval_cases')).toBe(sampleSuite.cases.length);
    expect(await count('eval_runs')).toBe(0);
    const [features] = await service.owner.sql`select swarms, user_testing from organizations`;
    expect(features).toEqual({ swarms: true, userTesting: true });
  });

  test('with a worker runs the suite, which fails once at selection and once at response', async () => {
    const report = await start();
    const counts = { total: 8, passed: 6, failed: 2, inconclusive: 0 };
    expect(report).toMatchObject({
      isNew: true,
      assertsNothing: 0,
      summary: { verdict: 'failed', counts },
    });
    const summary = report?.summary;
    const stops = summary?.diagnostics.items.map(({ title, chain }) => [
      title,
      'firstFailedStage' in chain ? chain.firstFailedStage : undefined,
      'failureCategory' in chain ? chain.failureCategory : undefined,
    ]);
    expect(stops).toEqual([
      ['Says how a gift can be returned', 'selection', 'selection'],
      ['Tells the opening hours on Sunday', 'response', 'serverData'],
    ]);
    expect(summary?.diagnostics).toMatchObject({ complete: true, scannedIterations: 8 });
  });

  test('every trial was run by the lexical model', async () => {
    const rows = await service.owner.sql<{ model: string }[]>`
      select distinct model from eval_iterations`;
    expect(rows.map(({ model }) => model)).toEqual([lexicalModelId]);
  });
});

describe('a later start', () => {
  test('makes nothing again and tells the decision there is', async () => {
    expect(await start()).toMatchObject({ isNew: false, summary: { verdict: 'failed' } });
    expect(await count('servers')).toBe(1);
    expect(await count('eval_suites')).toBe(1);
    expect(await count('eval_runs')).toBe(1);
  });

  test('leaves the server alone once somebody gave it another address', async () => {
    const sample = (await readSample(service.owner)) as Sample;
    const elsewhere = 'https://mcp.example/mcp';
    const before = (await readSampleUrl(service.owner, sample)) as string;
    await moveSample(service.owner, sample, before, elsewhere);
    await start();
    expect(await readSampleUrl(service.owner, sample)).toBe(elsewhere);
    await moveSample(service.owner, sample, before, 'https://mcp.example/not-where-it-is');
    expect(await readSampleUrl(service.owner, sample)).toBe(elsewhere);
    await moveSample(service.owner, sample, elsewhere, before);
  });

  test('brings back neither a deleted suite nor a deleted server', async () => {
    const { sql } = service.owner;
    await sql`delete from eval_suites`;
    expect(await start()).toBeUndefined();
    await sql`delete from servers`;
    expect(await start()).toBeUndefined();
    expect(await count('eval_suites')).toBe(0);
    expect(await count('servers')).toBe(0);
  });
});

test('where a server has the name of the sample already there is none, then and later', async () => {
  const { sql } = service.owner;
  await sql`update installation set sample = null`;
  const [project] = await sql`select id, organization_id from projects limit 1`;
  await sql`insert into servers ${sql({
    id: 'srv_own',
    organization_id: project?.['organizationId'],
    project_id: project?.['id'],
    name: 'sample BOOKSHOP',
    enabled: true,
    transport_type: 'http',
    url: 'https://a.example/',
  })}`;
  expect(await start()).toBeUndefined();
  await sql`delete from servers`;
  expect(await start()).toBeUndefined();
  expect(await readSample(service.owner)).toBeNull();
  expect(await count('servers')).toBe(0);
});
