import {
  picksNotPassed,
  picksTrial,
  type Stage,
  stages,
  type TrialFilter,
} from '@proofmark/domain';
import {
  insertRun,
  insertSuite,
  insertTrialRows,
  type RunIds,
  type SuiteIds,
} from '@proofmark/harness/eval-rows.ts';
import { createReporter, failing, passing, unique } from '@proofmark/harness/reporter.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selectPicked } from '../../store/stored-trials.ts';

let service: TestService;
let tenant: Tenant;
let suite: SuiteIds;
let run: RunIds;
let ids: string[];

function chainStoppedAt(stage: Stage, reason: string, failureCategory: string) {
  const failedAt = stages.indexOf(stage);
  const stageResults = stages.map((name, index) => {
    if (index < failedAt) return { stage: name, state: 'passed', reason: 'observed' };
    if (index === failedAt) return { stage: name, state: 'failed', reason };
    return { stage: name, state: 'notReached', reason: 'earlierStageFailed' };
  });
  return { stageResults, firstFailedStage: stage, failureCategory, stageAnalyzerVersion: 1 };
}

const atCall = chainStoppedAt('call', 'argumentMismatch', 'arguments');
const atSelection = chainStoppedAt('selection', 'missingToolCall', 'selection');
const foreign = { ...atCall, failureCategory: 'nobody knows' };
const kinds = [
  { result: 'passed', chain: {} },
  { result: 'failed', chain: atCall },
  {
    result: 'passed',
    declared_case_id: 'refunds',
    actual_tool_calls: [{ toolName: 'count_STOCK' }],
  },
  { result: 'failed', chain: atSelection, case_id: 'cas_1', error: 'The Shop is shut.' },
  { result: null, status: 'timed_out', declared_case_id: 'refunds' },
  { result: null, status: 'pending' },
  { result: 'failed', chain: foreign, model: 'large', title: 'Refund ÄRGER' },
  { result: null, status: 'running', chain: atCall },
];
const rows = Array.from({ length: 400 }, (_, index) => ({
  ...kinds[(index * 5 + (index % 3)) % kinds.length],
  ordinal: index * 2,
}));

beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  suite = await insertSuite(service, tenant);
  run = await insertRun(service, suite);
  ids = await insertTrialRows(service, run, rows);
});
afterAll(() => service.stop());

async function read(query: object, of = run) {
  const url = new URL(
    `${service.baseUrl}/api/v1/projects/${of.projectId}/eval-runs/${of.runId}/iterations`,
  );
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return call(url.href, { key: tenant.key });
}

async function walk(query: object, of = run): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { status, body, text } = await read({ ...query, ...(cursor && { cursor }) }, of);
    expect(status, text).toBe(200);
    seen.push(...body.items.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor;
    if (cursor === undefined) return seen;
    expect(body.items.length).toBeGreaterThan(0);
  }
}

const filters: TrialFilter[] = [
  { result: 'failed' },
  { result: 'notPassed' },
  { stage: 'call' },
  { stage: 'selection', result: 'failed' },
  { stage: 'connection' },
  { caseId: 'refunds' },
  { caseId: 'refunds', result: 'notPassed' },
  { caseId: 'cas_1', stage: 'selection' },
  { caseId: 'nobody' },
  { result: 'notGraded' },
  { result: 'passed' },
  { model: 'large' },
  { model: 'large', result: 'failed' },
  { text: 'SHOP' },
  { text: 'refund Ä' },
  { text: 'ä' },
  { text: 'stock', result: 'passed' },
];

describe('a walk', () => {
  const wanted = (filter: TrialFilter) =>
    ids.filter((_, index) => {
      const row = rows[index] as Record<string, unknown>;
      return picksTrial(filter, {
        status: (row['status'] as string) ?? 'completed',
        result: row['result'] as string | null,
        caseId: (row['case_id'] as string) ?? null,
        declaredCaseId: (row['declared_case_id'] as string) ?? null,
        chain: row['chain'] as never,
        model: (row['model'] as string) ?? null,
        title: (row['title'] as string) ?? null,
        error: (row['error'] as string) ?? null,
        calls: JSON.stringify(row['actual_tool_calls'] ?? []),
      });
    });

  test.each(filters)('by %o shows what the rule picks, once and in order', async (filter) => {
    for (const limit of [7, 200]) expect(await walk({ ...filter, limit })).toEqual(wanted(filter));
  });

  test('keeps to its filter: a cursor of one is none of another', async () => {
    const { body } = await read({ result: 'failed', limit: 1 });
    for (const other of [{}, { result: 'notPassed' }, { result: 'failed', stage: 'call' }]) {
      expect(await read({ ...other, cursor: body.nextCursor })).toMatchObject({
        status: 400,
        body: { details: { path: 'query.cursor' } },
      });
    }
  });

  test.each([
    ['result', 'every'],
    ['model', ''],
    ['text', ''],
    ['result', ''],
    ['stage', 'somewhere'],
    ['caseId', ''],
    ['notPassed', 'true'],
  ])('by %s=%s is 400', async (name, value) => {
    expect(await read({ [name]: value })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: { path: `query.${name}` } },
    });
  });
});

describe('while a run grows', () => {
  test('a walk goes on with what was reported meanwhile, and shows nothing twice', async () => {
    const reporter = createReporter(service, tenant);
    const suiteName = unique('Growing');
    const { body } = await reporter.ingest('runs/start', { suiteName, externalRunId: 'grows' });
    const { runId } = body;
    const path = `eval-runs/${runId}/iterations?result=failed&limit=2`;
    const report = (results: object[]) => reporter.ingest('runs/iterations', { runId, results });
    await report([passing, failing, failing, passing, failing]);
    const first = (await reporter.read(path)).body;
    await report([passing, failing]);
    const second = (await reporter.read(`${path}&cursor=${first.nextCursor}`)).body;
    expect([first.items.length, second.items.length]).toEqual([2, 2]);
    expect(second).not.toHaveProperty('nextCursor');
    const all = [...first.items, ...second.items].map(({ id }: { id: string }) => id);
    expect(new Set(all).size).toBe(4);
  });

  test('a trial of ours appears when it has ended, not while it is to come', async () => {
    const live = await insertRun(service, suite, { source: 'api', status: 'running' });
    const toCome = { status: 'pending', result: null };
    const [, failed, , begun] = await insertTrialRows(service, live, [
      toCome,
      { result: 'failed', chain: atCall },
      { result: 'passed', chain: {} },
      { ...toCome, status: 'running' },
    ]);
    expect(await walk({ result: 'notPassed' }, live)).toEqual([failed]);
    await service.owner.sql`
      update eval_iterations set status = 'cancelled', error = 'Stopped.' where id = ${begun as string}`;
    expect(await walk({ result: 'notPassed' }, live)).toEqual([failed, begun]);
  });
});

test('five failures among 5,000 trials are found by their own index', async () => {
  const large = await insertRun(service, suite);
  const late = (index: number) => ({
    result: index >= 4990 && index % 2 === 0 ? 'failed' : 'passed',
    chain: index >= 4990 ? atCall : {},
  });
  await insertTrialRows(
    service,
    large,
    Array.from({ length: 5000 }, (_, index) => late(index)),
  );
  const picking = filters.filter(picksNotPassed);
  const plans = await service.database.tenant([large.organizationId], (sql) =>
    Promise.all(
      picking.map((filter) => sql`explain ${selectPicked(sql, large.runId, filter, 10, 51)}`),
    ),
  );
  const parts = await service.owner.sql<{ name: string }[]>`
    select relname::text as name from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'eval_iterations_not_passed'::regclass`;
  for (const plan of plans) {
    const text = JSON.stringify(plan);
    expect(parts.filter(({ name }) => text.includes(` ${name} `))).toHaveLength(1);
  }
  expect(await walk({ result: 'failed', limit: 50 }, large)).toHaveLength(5);
});
