/**
 * Tests paging through a run's trials, by the decision summary and by the list of iterations. Both
 * give the same list with the same cursors.
 */
import { DecisionSummary } from '@proofmark/domain';
import {
  insertRun,
  insertSuite,
  insertTrialRows,
  type RunIds,
  type SuiteIds,
} from '@proofmark/harness/eval-rows.ts';
import { expectPublishedSummary } from '@proofmark/harness/published-summary.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const trialCount = 120;
type List = 'decision-summary' | 'iterations';

let service: TestService;
let tenant: Tenant;
let suite: SuiteIds;
let run: RunIds;
let trials: { id: string; passed: boolean }[];
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  suite = await insertSuite(service, tenant);
  run = await insertRun(service, suite, { result: 'failed' });
  const rows = Array.from({ length: trialCount }, (_, index) => ({
    // The ordinals have gaps and the ids are in another order, so only the ordinal can give this
    // order.
    ordinal: index * 3,
    result: index % 4 === 0 ? 'failed' : index % 7 === 0 ? null : 'passed',
  }));
  const ids = await insertTrialRows(service, run, rows);
  trials = rows.map((row, index) => ({
    id: ids[index] as string,
    passed: row.result === 'passed',
  }));
});
afterAll(() => service.stop());

async function read(
  list: List,
  query: { limit?: number | string; cursor?: string } = {},
  of = run,
  key = tenant.key,
) {
  const url = new URL(
    `${service.baseUrl}/api/v1/projects/${of.projectId}/eval-runs/${of.runId}/${list}`,
  );
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const answer = await call(url.href, { key });
  if (list === 'decision-summary' && answer.status === 200) {
    expect(DecisionSummary.safeParse(answer.body).error).toBeUndefined();
    expectPublishedSummary(answer.body);
  }
  return answer;
}

async function cursorOf(list: List, limit: number): Promise<string> {
  const { body } = await read(list, { limit });
  return list === 'iterations' ? body.nextCursor : body.diagnostics.nextCursor;
}

function notPassed(from: number, to?: number): string[] {
  return trials
    .slice(from, to)
    .filter((trial) => !trial.passed)
    .map((trial) => trial.id);
}

describe('a walk through the decision summary', () => {
  test.each([1, 7, 50, 60, 119])(
    'by %i shows every trial that did not pass once, in order, and is never complete',
    async (limit) => {
      const seen: string[] = [];
      const scanned: number[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await read('decision-summary', { limit, ...(cursor && { cursor }) });
        const { diagnostics } = body;
        expect(diagnostics.complete).toBe(false);
        scanned.push(diagnostics.scannedIterations);
        seen.push(...diagnostics.items.map((item: { iterationId: string }) => item.iterationId));
        cursor = diagnostics.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(notPassed(0));
      expect(scanned.slice(0, -1).every((count) => count === limit)).toBe(true);
      expect(scanned.reduce((sum, count) => sum + count)).toBe(trialCount);
    },
  );

  test('in one page is complete, and says nothing of a next one', async () => {
    for (const limit of [trialCount, 200]) {
      const { diagnostics } = (await read('decision-summary', { limit })).body;
      expect(diagnostics).toMatchObject({ complete: true, scannedIterations: trialCount });
      expect(diagnostics).not.toHaveProperty('nextCursor');
      expect(diagnostics.items).toHaveLength(notPassed(0).length);
    }
  });

  test('behind a cursor is not complete even where nothing is left to show', async () => {
    const clean = await insertRun(service, suite);
    await insertTrialRows(service, clean, [{ result: 'passed' }, { result: 'passed' }]);
    const { diagnostics } = (await read('decision-summary', { limit: 1 }, clean)).body;
    const last = await read('decision-summary', { cursor: diagnostics.nextCursor }, clean);
    expect(last.body.diagnostics).toEqual({ items: [], complete: false, scannedIterations: 1 });
  });

  test.each([
    ['sdk', 'pending', false],
    ['sdk', 'running', false],
    ['sdk', 'completed', true],
    ['sdk', 'cancelled', true],
    ['sdk', 'timed_out', true],
    ['sdk', 'failed', true],
    ['api', 'running', true],
    ['ui', 'pending', true],
  ])('of a run from %s that is %s: complete is %s', async (source, status, complete) => {
    const other = await insertRun(service, suite, { source, status });
    await insertTrialRows(service, other, [{ status: 'pending', result: null }]);
    const { diagnostics } = (await read('decision-summary', {}, other)).body;
    expect(diagnostics).toMatchObject({ complete, scannedIterations: 1 });
    expect(diagnostics.items).toHaveLength(1);
  });
});

describe('the cursor', () => {
  test.each<[List, List]>([
    ['iterations', 'decision-summary'],
    ['decision-summary', 'iterations'],
  ])('of %s leads on in %s', async (from, to) => {
    const { body } = await read(to, { limit: 5, cursor: await cursorOf(from, 40) });
    const next = trials.slice(40, 45);
    if (to === 'iterations') {
      expect(body.items.map((item: { id: string }) => item.id)).toEqual(next.map(({ id }) => id));
    } else {
      const { items, scannedIterations } = body.diagnostics;
      expect(items.map((item: { iterationId: string }) => item.iterationId)).toEqual(
        notPassed(40, 45),
      );
      expect(scannedIterations).toBe(5);
    }
  });

  test('of another run, reader or list, altered or made up, is 400', async () => {
    const other = await insertRun(service, suite);
    await insertTrialRows(service, other, [{}, {}]);
    await insertRun(service, suite);
    const member = await createMember(service, tenant, 'admin');
    const runs = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/eval-suites/${suite.suiteId}/runs`;
    const cursor = await cursorOf('iterations', 1);
    const runsCursor = (await call(`${runs}?limit=1`, { key: tenant.key })).body.nextCursor;
    const refused = await Promise.all([
      ...(['decision-summary', 'iterations'] as const).flatMap((list) => [
        read(list, { cursor }, other),
        read(list, { cursor }, run, member.key),
        read(list, { cursor: runsCursor }),
        read(list, { cursor: `${cursor}A` }),
        read(list, { cursor: 'WzEsIjEiXQ.AAAA' }),
        read(list, { cursor: '' }),
      ]),
      call(`${runs}?cursor=${cursor}`, { key: tenant.key }),
    ]);
    expect(refused).toHaveLength(13);
    for (const answer of refused) {
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', details: { path: 'query.cursor' } },
      });
    }
  });
});

describe('the limit', () => {
  test.each<[string | undefined, number]>([
    [undefined, 50],
    ['1', 1],
    ['0', 1],
    ['-5', 1],
    ['119', 119],
    ['201', trialCount],
    ['99999', trialCount],
  ])('%s examines %i trials', async (limit, count) => {
    const query = limit === undefined ? {} : { limit };
    const summary = await read('decision-summary', query);
    expect(summary.body.diagnostics.scannedIterations).toBe(count);
    expect((await read('iterations', query)).body.items).toHaveLength(count);
  });

  test('above the largest page is brought down to it', async () => {
    const long = await insertRun(service, suite);
    await insertTrialRows(
      service,
      long,
      Array.from({ length: 205 }, () => ({ result: 'passed' })),
    );
    const { diagnostics } = (await read('decision-summary', { limit: 500 }, long)).body;
    expect(diagnostics).toMatchObject({ complete: false, scannedIterations: 200 });
    expect(diagnostics.nextCursor).toEqual(expect.any(String));
  });

  test.each(['x', '1.5', '', '1e3', '0x10', ' 5', '١'])('%j is 400', async (limit) => {
    for (const list of ['decision-summary', 'iterations'] as const) {
      expect(await read(list, { limit })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', details: { path: 'query.limit' } },
      });
    }
  });
});

/**
 * Must be the last test: it revokes the right to read traces in the database that all tests of this
 * file share.
 */
test('a page never reads a trace: it is the same for a service that may not', async () => {
  const allowed = {
    summary: (await read('decision-summary', { limit: 50 })).text,
    iterations: (await read('iterations', { limit: 50 })).text,
  };
  const [role] = await service.database.sql<{ name: string }[]>`select current_user as name`;
  await service.owner.sql.unsafe(`revoke all on eval_traces from ${role?.name}`);
  expect((await read('decision-summary', { limit: 50 })).text).toBe(allowed.summary);
  expect((await read('iterations', { limit: 50 })).text).toBe(allowed.iterations);
  const trace = `${service.baseUrl}/api/v1/projects/${run.projectId}/eval-runs/${run.runId}/iterations/${trials[0]?.id}/trace`;
  expect((await call(trace, { key: tenant.key })).status).toBe(500);
});
