import { createLauncher, type Launcher } from '@proofmark/harness/launcher.ts';
import { type ProjectCaller, projectCaller } from '@proofmark/harness/project-caller.ts';
import { createReporter, failing, passing, unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultSpending } from '../../../../platform/spending/spending.ts';
import { endSilentInsights } from '../../../insights/work/narrate-insights.ts';
import { defaultPartModels } from '../../../models/part-models.ts';

let service: TestService;
let tenant: Tenant;
let other: Tenant;
let ask: ProjectCaller;
let launch: Launcher['launch'];
beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
  other = await createTenant(service, 'globex');
  ({ ask, launch } = createLauncher(service, tenant));
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.owner.sql`delete from daily_counters`;
});

async function reported(): Promise<string> {
  const { body } = await createReporter(service, tenant).ingest('report', {
    suiteName: unique('Suite'),
    results: [passing, failing],
  });
  return body.runId;
}

const request = (runId: string, body?: unknown) => ask('POST', `eval-runs/${runId}/insights`, body);
const envelope = async (runId: string) => (await ask('GET', `eval-runs/${runId}`)).body.insights;

async function used(): Promise<number> {
  const [row] = await service.owner.sql<{ used: string }[]>`
    select used from daily_counters where organization_id = ${tenant.organizationId} and counter = 'insightsPerDay'`;
  return Number(row?.used ?? 0);
}

async function rowOf(runId: string) {
  const [row] = await service.owner.sql<{ status: string; generation: number; work: string }[]>`
    select status, generation, (
      select string_agg(first_item::text, ',') from leased_work
      where kind = 'insights' and group_id = ${`eval_run:${runId}`} and leased_work.status = 'open') as work
    from insights where scope_id = ${runId}`;
  return row && { ...row };
}

async function under(
  options: Parameters<TestService['another']>[0],
  work: (asked: ProjectCaller) => Promise<void>,
): Promise<void> {
  const another = await service.another(options);
  try {
    await work(projectCaller(another, tenant));
  } finally {
    await another.stop();
  }
}

const spending = (limits: object, brakes = false) => ({
  spending: { limits: { ...defaultSpending.limits, ...limits }, brakes },
});

describe('a request', () => {
  test('begins one generation, is reused after that, and begins the next by force', async () => {
    const runId = await reported();
    const pending = { status: 'pending', insightsStatus: 'pending' };
    const answer = { runId, projectId: tenant.projectId, ...pending };
    const first = await request(runId);
    expect(first.status, first.text).toBe(202);
    expect(first.body).toEqual(answer);
    expect((await request(runId, {})).body).toEqual({ ...answer, reused: true });
    expect(await used()).toBe(1);
    expect(await rowOf(runId)).toEqual({ status: 'pending', generation: 1, work: '1' });
    expect((await request(runId, { force: true })).body).toEqual(answer);
    expect(await used()).toBe(2);
    expect(await rowOf(runId)).toEqual({ status: 'pending', generation: 2, work: '2' });
    expect(await envelope(runId)).toMatchObject({ status: 'pending', findings: [], summary: null });
  });

  test('of fifty at once begins once; of twenty by force each is counted', async () => {
    const runId = await reported();
    const many = await Promise.all(Array.from({ length: 50 }, () => request(runId)));
    expect(many.map(({ status }) => status)).toEqual(Array(50).fill(202));
    expect(many.filter(({ body }) => body.reused !== true)).toHaveLength(1);
    expect(await used()).toBe(1);
    await Promise.all(Array.from({ length: 20 }, () => request(runId, { force: true })));
    expect(await used()).toBe(21);
    expect(await rowOf(runId)).toEqual({ status: 'pending', generation: 21, work: '21' });
  });

  test('that was answered stands; one that failed is asked for anew', async () => {
    const runId = await reported();
    await request(runId);
    const end = (status: string) =>
      service.owner.sql`update insights set status = ${status} where scope_id = ${runId}`;
    await end('completed');
    expect((await request(runId, { force: false })).body).toMatchObject({
      status: 'pending',
      reused: true,
      insightsStatus: 'completed',
    });
    await end('failed');
    expect((await request(runId)).body.reused).toBeUndefined();
    expect(await used()).toBe(2);
  });

  test.each([[{ force: 'yes' }], [{ force: null }], [{ model: 'x' }], [null], [[]], ['force']])(
    'with the body %j is refused and counts nothing',
    async (body) => {
      const runId = await reported();
      const refused = await request(runId, body);
      expect(refused.status, refused.text).toBe(400);
      expect([await used(), await rowOf(runId)]).toEqual([0, undefined]);
    },
  );

  test('is refused once the traces were removed, and counts nothing', async () => {
    const runId = await reported();
    await service.owner.sql`update eval_runs set traces_removed_at = now() where id = ${runId}`;
    const refused = await request(runId);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ details: { reason: 'TRACES_REMOVED' } });
    expect(await used()).toBe(0);
  });

  test('is refused for runs of others as for none, and told in the audit log where it begins', async () => {
    expect((await request(other.runId)).status).toBe(404);
    const runId = await reported();
    await request(runId);
    await request(runId);
    const lines = await service.owner.sql`
      select from audit_log where action = 'evalRun.insightsAsked' and subject_id = ${runId}`;
    expect(lines.length).toBe(1);
  });
});

describe('one fault at a time is told', () => {
  test('the state before the brake, the brake before the day', async () => {
    const open = await launch();
    await under(spending({ insightsPerDay: 2 }, true), async (asked) => {
      const post = async (runId: string) => {
        const { status, body, headers } = await asked('POST', `eval-runs/${runId}/insights`);
        const { reason, limit } = body.details ?? {};
        return [status, reason, limit, headers.has('retry-after')];
      };
      const runs = await Promise.all([1, 2, 3, 4].map(reported));
      const begun = [202, undefined, undefined, false];
      expect(await post(open)).toEqual([409, 'RUN_NOT_TERMINAL', undefined, false]);
      expect([await post(runs[0] ?? ''), await post(runs[1] ?? '')]).toEqual([begun, begun]);
      expect(await post(runs[2] ?? '')).toEqual([429, 'DAILY_LIMIT', 'insightsPerDay', true]);
      expect(await post(runs[3] ?? '')).toEqual([429, 'BURST_LIMIT', 'insights', true]);
      expect(await post(open)).toEqual([409, 'RUN_NOT_TERMINAL', undefined, false]);
      // A request that starts no explanation is neither limited nor counted.
      expect(await post(runs[0] ?? '')).toEqual(begun);
      expect([await used(), await rowOf(runs[2] ?? '')]).toEqual([2, undefined]);
    });
  });

  test('the day before credits; where those are used up nothing begins, and nothing is counted', async () => {
    const runs = await Promise.all([1, 2].map(reported));
    await service.owner.sql`
      insert into daily_counters (organization_id, day, counter, used)
      values (${tenant.organizationId}, (now() at time zone 'utc')::date, 'credits', 5)`;
    await under(spending({ insightsPerDay: 1, creditsPerDay: 5 }), async (asked) => {
      const post = (runId = '') => asked('POST', `eval-runs/${runId}/insights`);
      const refused = await post(runs[0]);
      expect(refused.body).toMatchObject({ code: 'FORBIDDEN', details: { limit: 'credits' } });
      expect([await used(), await rowOf(runs[0] ?? '')]).toEqual([0, undefined]);
      await request(runs[0] ?? '');
      expect((await post(runs[1])).body.details).toMatchObject({ reason: 'DAILY_LIMIT' });
    });
  });

  test('a model without a price is refused where credits are limited', async () => {
    const runId = await reported();
    const partModels = { ...defaultPartModels, insights: 'local/unpriced' };
    await under({ ...spending({ creditsPerDay: 5 }), partModels }, async (asked) => {
      const refused = await asked('POST', `eval-runs/${runId}/insights`);
      expect(refused.body.details).toMatchObject({ reason: 'MODEL_UNPRICED' });
    });
  });

  test('a limit of 0 allows none', async () => {
    const runId = await reported();
    await under(spending({ insightsPerDay: 0 }), async (asked) => {
      const refused = await asked('POST', `eval-runs/${runId}/insights`);
      expect(refused.body).toMatchObject({
        code: 'FORBIDDEN',
        details: { limit: 'insightsPerDay' },
      });
    });
  });
});

describe('the envelope', () => {
  test('of what nobody asked for says what would be read', async () => {
    const runId = await reported();
    expect(await envelope(runId)).toMatchObject({
      schemaVersion: 1,
      scope: { kind: 'eval_run', id: runId },
      status: 'not_requested',
      reasonCode: null,
      error: null,
      generatedAt: null,
      findings: [],
      modelUsed: null,
      coverage: {
        unit: 'iterations',
        analyzed: 2,
        total: 2,
        gradedCount: 2,
        truncated: false,
        lowConfidence: false,
      },
    });
  });

  test('of a run that goes on is not available, and a list has none', async () => {
    const runId = await launch();
    const { suiteId } = (await ask('GET', `eval-runs/${runId}`)).body;
    expect(await envelope(runId)).toMatchObject({
      status: 'not_available',
      reasonCode: 'not_terminal',
    });
    const { items } = (await ask('GET', `eval-suites/${suiteId}/runs`)).body;
    expect(items[0]).not.toHaveProperty('insights');
  });

  test('is not available where insights are switched off, and none are asked for', async () => {
    const runId = await reported();
    await request(runId);
    await under({ partModels: { ...defaultPartModels, insights: 'off' } }, async (asked) => {
      const { body } = await asked('GET', `eval-runs/${runId}`);
      expect(body.insights).toMatchObject({ status: 'not_available', reasonCode: 'insights_off' });
      const refused = await asked('POST', `eval-runs/${runId}/insights`, { force: true });
      expect([refused.status, refused.body.code]).toEqual([422, 'FEATURE_NOT_SUPPORTED']);
    });
  });

  test('that cannot be built is left out, and the run is read all the same', async () => {
    const runId = await reported();
    await request(runId);
    const { sql } = service.owner;
    await sql`update insights set status = 'completed', candidates = '{"cut' where scope_id = ${runId}`;
    const read = await ask('GET', `eval-runs/${runId}`);
    expect([read.status, read.body.insights]).toEqual([200, undefined]);
  });

  test('goes with its run, and so does its work', async () => {
    const runId = await reported();
    await request(runId);
    expect((await ask('DELETE', `eval-runs/${runId}`)).status).toBe(200);
    const left = await service.owner.sql`
      select scope_id from insights where scope_id = ${runId}
      union all select id from work_groups where id = ${`eval_run:${runId}`}`;
    expect(left.length).toBe(0);
  });
});

test('what waits in line is not silent, unless nobody takes it for an hour', async () => {
  const runId = await reported();
  await request(runId);
  const hush = (asked: string) => service.owner.sql`
    update insights set beat_at = now() - interval '301 seconds', requested_at = now() - ${asked}::text::interval
    where scope_id = ${runId}`;
  const end = () => endSilentInsights(service.database, { error: () => undefined });
  await hush('301 seconds');
  expect(await end()).toBe(0);
  expect((await envelope(runId)).status).toBe('pending');
  await hush('61 minutes');
  expect(await end()).toBe(1);
  expect(await envelope(runId)).toMatchObject({ error: { code: 'generation_timeout' } });
});

test('what waits to be explained waits since it was asked for, however old its run is', async () => {
  const runId = await reported();
  await service.owner
    .sql`update eval_runs set completed_at = now() - interval '9 days' where id = ${runId}`;
  await request(runId);
  const [load] = await service.owner.sql<{ seconds: number }[]>`
    select longest_wait_seconds as seconds from work_load() where kind = 'insights'`;
  expect(load?.seconds).toBeGreaterThan(0);
  expect(load?.seconds).toBeLessThan(86_400);
});
