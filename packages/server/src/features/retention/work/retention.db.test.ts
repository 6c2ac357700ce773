import { idMonths, keepEverything, makeId } from '@proofmark/domain';
import { callingModel } from '@proofmark/harness/calling-model.ts';
import {
  insertRun,
  insertSuite,
  insertTrace,
  insertTrialRows,
  insertWaiver,
  type RunIds,
  type SuiteIds,
} from '@proofmark/harness/eval-rows.ts';
import { createReporter, failing, unique } from '@proofmark/harness/reporter.ts';
import { insertWidgets, onePng, seenWidget } from '@proofmark/harness/seen-widgets.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { startTestWorker } from '@proofmark/harness/test-worker.ts';
import { createTenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { housekeeping } from '../../../main/worker/housekeeping.ts';
import { makeMonthsAhead } from '../../evals/store/months-ahead.ts';
import { measureStorage } from '../store/stored-bytes.ts';
import { applyRetention } from './apply-retention.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const dayMs = 86_400_000;
const widgetTables = ['eval_widgets', 'eval_widget_pictures'];
const newPlace = async () => {
  const organization = unique('keep');
  const email = `owner@${organization}.example`;
  const { apiKey: key, ...ids } = await service.operator.bootstrap({ email, organization });
  return { ...ids, key };
};
const runOf = async (suite: SuiteIds, days: number, columns: object = {}) => {
  const at = new Date(Date.now() - days * dayMs);
  const run = await insertRun(service, suite, { created_at: at, completed_at: at, ...columns });
  await insertTrialRows(service, run, [{ has_trace: true }]);
  await insertTrace(service, run);
  const png = onePng();
  await insertWidgets(service, run, [seenWidget([{ png }])], [png]);
  return run;
};
const left = async ({ organizationId }: { organizationId: string }) => {
  const rows = await service.owner.sql<{ id: string }[]>`
    select id from eval_runs where organization_id = ${organizationId} order by run_number`;
  return rows.map(({ id }) => id);
};
const countRows = async (table: string, { runId }: RunIds) => {
  const { sql } = service.owner;
  return (await sql`select from ${sql(table)} where run_id = ${runId}`).count;
};
const keep = (place: { organizationId: string }, kind: string, rule: string) =>
  service.operator.setRetention(place.organizationId, kind, rule);
const apply = () => applyRetention(service.database, keepEverything);

describe('runs', () => {
  test('go by age and by count, each in its suite, and with all that belongs to them', async () => {
    const place = await newPlace();
    const [suite, other] = [await insertSuite(service, place), await insertSuite(service, place)];
    const [old, third] = [await runOf(suite, 40), await runOf(suite, 3)];
    const [second, newest] = [await runOf(suite, 2), await runOf(suite, 1)];
    const quiet = await runOf(other, 29);
    expect(await apply()).toMatchObject({ runs: 0, traces: 0, sessions: 0 });
    await keep(place, 'runs', '30d');
    expect(await apply()).toMatchObject({ runs: 1 });
    const kept = [third, second, newest, quiet].map(({ runId }) => runId);
    expect((await left(place)).sort()).toEqual(kept.sort());
    for (const table of ['eval_iterations', 'eval_traces', ...widgetTables]) {
      expect(await countRows(table, old)).toBe(0);
      expect(await countRows(table, newest)).toBe(1);
    }
    await keep(place, 'runs', '30d/1');
    expect(await apply()).toMatchObject({ runs: 2 });
    expect((await left(place)).sort()).toEqual([newest.runId, quiet.runId].sort());
    expect(await apply()).toMatchObject({ runs: 0 });
  });

  test('stay while they are open, waived, or the newest that was decided', async () => {
    const place = await newPlace();
    const suite = await insertSuite(service, place);
    const decided = await runOf(suite, 100);
    const open = await runOf(suite, 99, { status: 'running', result: null, completed_at: null });
    const judged = await runOf(suite, 98, { ...undecided, judge_status: 'pending' });
    const waived = await runOf(suite, 97, undecided);
    const waivedBefore = await runOf(suite, 96, undecided);
    const revoked = await runOf(suite, 95, undecided);
    const explained = await runOf(suite, 94, undecided);
    await service.owner.sql`
      insert into insights (kind, scope_id, organization_id, project_id, status)
      values ('eval_run', ${explained.runId}, ${place.organizationId}, ${place.projectId}, 'pending')`;
    await insertWaiver(service, waived);
    await insertWaiver(service, waivedBefore, { expires_at: new Date(Date.now() - 1000) });
    await insertWaiver(service, revoked, { revoked_at: new Date(Date.now() - 1000) });
    await keep(place, 'runs', '1d');
    const [preview] = await service.operator.previewRetention(place.organizationId);
    expect(preview).toMatchObject({
      goes: { runs: { count: 2 } },
      spared: { open: 3, waived: 1, newestDecided: 1 },
    });
    expect(await apply()).toMatchObject({ runs: 2 });
    const spared = [decided, open, judged, waived, explained];
    expect(await left(place)).toEqual(spared.map(({ runId }) => runId));
  });

  test('one whose insights are asked for while it is about to go stays', async () => {
    const place = await newPlace();
    const suite = await insertSuite(service, place);
    const [run] = [await runOf(suite, 100), await runOf(suite, 1)];
    await keep(place, 'runs', '10d');
    const { going } = await service.owner.transaction(async (sql) => {
      await sql`select from eval_runs where id = ${run.runId} for update`;
      const started = apply();
      await untilWaiting(sql, 1);
      await sql`
        insert into insights (kind, scope_id, organization_id, project_id, status)
        values ('eval_run', ${run.runId}, ${place.organizationId}, ${place.projectId}, 'pending')`;
      return { going: started };
    });
    expect(await going).toMatchObject({ runs: 0 });
    expect(await left(place)).toContain(run.runId);
  });

  test('one that comes under a waiver while it is about to go stays', async () => {
    const place = await newPlace();
    const suite = await insertSuite(service, place);
    const run = await runOf(suite, 100);
    const newest = await runOf(suite, 1);
    await keep(place, 'runs', '10d');
    const { going } = await service.owner.transaction(async (sql) => {
      await sql`select from eval_runs where id = ${run.runId} for update`;
      const started = apply();
      await untilWaiting(sql, 1);
      await sql`
        insert into gate_waivers (id, organization_id, suite_id, run_id, reason, expires_at, created_by_email)
        values ('gwv_late', ${run.organizationId}, ${run.suiteId}, ${run.runId}, 'Late', now() + interval '1 day', 'a@b.example')`;
      return { going: started };
    });
    expect(await going).toMatchObject({ runs: 0 });
    expect(await left(place)).toEqual([run.runId, newest.runId]);
  });

  test('defaults of the settings hold for whoever has no rule, and none is a rule', async () => {
    const [one, other] = [await newPlace(), await newPlace()];
    for (const place of [one, other]) {
      const suite = await insertSuite(service, place);
      for (const days of [3, 2, 1]) await runOf(suite, days);
    }
    await keep(other, 'runs', 'none');
    const defaults = { ...keepEverything, runs: { days: null, count: 1 } };
    const tidied = await housekeeping(service.database, defaults);
    expect(tidied.retention).toMatchObject({ runs: 2 });
    expect([(await left(one)).length, (await left(other)).length]).toEqual([1, 3]);
    await keep(other, 'runs', 'default');
    await housekeeping(service.database, defaults);
    expect(await left(other)).toHaveLength(1);
  });

  test('a month of which every run goes loses its tables, and only that one', async () => {
    const [one, other] = [await newPlace(), await newPlace()];
    const months = await Promise.all(
      [Date.UTC(2025, 1), Date.UTC(2025, 2)].map(async (month) => {
        const [{ name = '' } = {}] = idMonths('evalRun', month, 1);
        await makeMonthsAhead(service.database, month);
        return { month, name };
      }),
    );
    const madeIn = async (place: typeof one, suite: SuiteIds, month: number, day: number) => {
      const at = new Date(month + day * dayMs);
      const id = makeId('evalRun', at.getTime(), crypto.getRandomValues(new Uint8Array(10)));
      const run = await insertRun(service, suite, { id, created_at: at, completed_at: at });
      const ids = { ...place, suiteId: suite.suiteId, runId: id };
      await insertTrialRows(service, ids, [{}, {}]);
      await insertTrace(service, ids);
      return { ...run, runId: id };
    };
    const [suite, otherSuite] = [
      await insertSuite(service, one),
      await insertSuite(service, other),
    ];
    for (const { month } of months) await madeIn(one, suite, month, 5);
    // The other organization keeps everything and has a run in the second month, so that month's
    // tables must stay.
    const kept = await madeIn(other, otherSuite, months[1]?.month ?? 0, 6);
    await runOf(suite, 1);
    await keep(one, 'runs', '90d');
    await measureStorage(service.database, 'all');
    expect(await apply()).toMatchObject({ runs: 2, months: [months[0]?.name] });
    expect(await countRows('eval_iterations', kept)).toBe(2);
    const there = async (name = '') => {
      const [row] = await service.owner.sql<{ there: boolean }[]>`
        select to_regclass(${`eval_widgets_${name}`}) is not null as there`;
      return row?.there;
    };
    expect([await there(months[0]?.name), await there(months[1]?.name)]).toEqual([false, true]);
    const lines = (await linesOf(one)).map(({ details }) => details);
    expect(lines).toEqual([1, 2].map(() => ({ removed: '1 run with 2 trials' })));
  });
});

describe('traces', () => {
  test('take along what was seen of widgets, which counts as theirs', async () => {
    const place = await newPlace();
    const suite = await insertSuite(service, place);
    const [old, newest] = [await runOf(suite, 40), await runOf(suite, 1)];
    const sizes = async ({ runId }: RunIds) => {
      await measureStorage(service.database, 'all');
      const [row] = await service.owner.sql<{ all: number; traces: number }[]>`
        select bytes::float8 as all, trace_bytes::float8 as traces from run_sizes where run_id = ${runId}`;
      return row ?? { all: 0, traces: 0 };
    };
    const before = await sizes(old);
    await keep(place, 'traces', '30d');
    expect(await apply()).toMatchObject({ traces: 1 });
    for (const table of widgetTables) {
      expect(await countRows(table, old)).toBe(0);
      expect(await countRows(table, newest)).toBe(1);
    }
    const after = await sizes(old);
    expect(before.traces - after.traces).toBeGreaterThan(500);
    expect(before.all - after.all).toBe(before.traces - after.traces);
  });

  test('go while what the trials came to stays, and readers are told so', async () => {
    const tenant = await createTenant(service, unique('traces'));
    const { ingest, read } = createReporter(service, tenant);
    const report = { suiteName: 'Traced', results: [failing] };
    const { runId } = (await ingest('report', report)).body;
    await ingest('report', report);
    await ingest('report', report);
    const trial = async () => (await read(`eval-runs/${runId}/iterations`)).body.items[0];
    const before = await trial();
    expect(before.hasTrace).toBe(true);
    const path = `eval-runs/${runId}/iterations/${before.id}`;
    expect((await read(`${path}/trace`)).status).toBe(200);
    const summary = (await read(`eval-runs/${runId}/decision-summary`)).body;

    await keep(tenant, 'traces', '2');
    await measureStorage(service.database, 'all');
    const [preview] = await service.operator.previewRetention(tenant.organizationId);
    expect(preview?.goes).toMatchObject({ runs: { count: 0 }, traces: { ofRuns: 1, traces: 1 } });
    expect(preview?.goes.traces.traceBytes).toBeGreaterThan(0);
    expect(await apply()).toMatchObject({ runs: 0, traces: 1 });
    const gone = await read(`${path}/trace`);
    expect(gone.status).toBe(404);
    expect(gone.body.details).toEqual({ reason: 'TRACE_NOT_AVAILABLE' });
    expect(await trial()).toEqual({ ...before, hasTrace: false });
    const sessions = (await read('sessions?sourceType=eval')).body.items;
    expect(sessions.map((session: { id: string }) => session.id)).not.toContain(before.id);
    expect((await read(path)).status).toBe(200);
    expect((await read(`eval-runs/${runId}/decision-summary`)).body).toEqual(summary);
    expect(await apply()).toMatchObject({ traces: 0 });
    await measureStorage(service.database, 'recent');
    const [size] = await service.owner.sql<{ trials: number; traces: number }[]>`
      select trials, traces from run_sizes where run_id = ${runId}`;
    expect(size).toEqual({ trials: 1, traces: 0 });
    const [line] = await linesOf(tenant);
    expect(line?.details).toEqual({ removed: '1 trace of 1 run' });
  });

  test('take along what insights quote of them, and nothing else of the insights', async () => {
    const tenant = await createTenant(service, unique('quoted'));
    const { ingest, read } = createReporter(service, tenant);
    const results = [
      { ...failing, caseId: 'weather' },
      { ...failing, caseId: 'weather', passed: true },
    ];
    const { runId } = (await ingest('report', { suiteName: 'Quoted', results })).body;
    await ingest('report', { suiteName: 'Quoted', results });
    const worker = await startTestWorker(service, callingModel());
    const insights = async () => (await read(`eval-runs/${runId}`)).body.insights;
    try {
      const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/eval-runs/${runId}/insights`;
      expect((await call(url, { method: 'POST', key: tenant.key })).status).toBe(202);
      await expect.poll(async () => (await insights()).status).toBe('completed');
    } finally {
      await worker.stop();
    }
    const before = await insights();
    const excerpts = (of: typeof before) =>
      of.findings.flatMap((finding: { evidence: { excerpt: string }[] }) =>
        finding.evidence.map(({ excerpt }) => excerpt),
      );
    expect(excerpts(before).join('')).not.toBe('');
    await keep(tenant, 'traces', '1');
    expect(await apply()).toMatchObject({ traces: 2 });
    const after = await insights();
    expect(excerpts(after)).toEqual(excerpts(before).map(() => ''));
    const quiet = (of: typeof before) =>
      JSON.parse(JSON.stringify(of), (name, value) => (name === 'excerpt' ? '' : value));
    expect(after).toEqual(quiet(before));
  });
});

describe('chat sessions', () => {
  test('go by age and count for each person', async () => {
    const place = await newPlace();
    const { sql } = service.owner;
    for (const days of [50, 3, 2, 1]) {
      await sql`
        insert into chat_sessions (id, organization_id, project_id, account_id, status, last_activity_at)
        values (${unique('cht')}, ${place.organizationId}, ${place.projectId}, ${place.accountId}, 'active',
          now() - make_interval(days => ${days}))`;
    }
    await keep(place, 'sessions', '30d/2');
    const [preview] = await service.operator.previewRetention(place.organizationId);
    expect(preview?.goes.sessions).toEqual({ count: 2 });
    expect(await apply()).toMatchObject({ sessions: 2 });
    const kept = await sql<{ days: number }[]>`
      select extract(day from now() - last_activity_at)::integer as days from chat_sessions
      where organization_id = ${place.organizationId} order by 1`;
    expect(kept.map(({ days }) => days)).toEqual([1, 2]);
  });
});

describe('what is told', () => {
  test('a rule is previewed before it is set, and setting it tells the same', async () => {
    const place = await newPlace();
    const suite = await insertSuite(service, place);
    for (const days of [50, 40, 1]) await runOf(suite, days);
    await measureStorage(service.database, 'all');
    const byRule = async (rules: Record<string, string>) =>
      (await service.operator.previewRetention(place.organizationId, rules))[0];
    expect(await byRule({})).toMatchObject({ rules: keepEverything, goes: { runs: { count: 0 } } });
    const preview = await byRule({ runs: '30d' });
    expect(preview?.goes.runs).toMatchObject({ count: 2, trials: 2 });
    expect(await apply()).toMatchObject({ runs: 0 });
    expect(await keep(place, 'runs', '30d')).toEqual(preview);
    expect(await byRule({ runs: 'none' })).toMatchObject({ goes: { runs: { count: 0 } } });
    await keep(place, 'runs', 'none');
    await expect(byRule({ suites: '1' })).rejects.toThrow('suites');
    await expect(byRule({ runs: 'few' })).rejects.toThrow('A rule must be');
  });

  test('a preview names what would go and removes nothing', async () => {
    const place = await newPlace();
    const suite = await insertSuite(service, place);
    const [oldest, newest] = [await runOf(suite, 50), await runOf(suite, 40)];
    await runOf(suite, 1);
    await keep(place, 'runs', '30d');
    await measureStorage(service.database, 'all');
    const [preview, ...others] = await service.operator.previewRetention(place.organizationId);
    expect(others).toEqual([]);
    expect(preview?.rules).toEqual({ ...keepEverything, runs: { days: 30, count: null } });
    expect(preview?.goes.runs).toMatchObject({ count: 2, trials: 2, traces: 2 });
    expect(preview?.goes.runs.bytes).toBeGreaterThan(500);
    const days = [preview?.goes.runs.oldest, preview?.goes.runs.newest].map((at) =>
      Math.round((Date.now() - (at?.getTime() ?? 0)) / dayMs),
    );
    expect(days).toEqual([50, 40]);
    expect(await left(place)).toHaveLength(3);
    expect(await linesOf(place)).toEqual([]);
    expect(await apply()).toMatchObject({ runs: 2 });
    expect(await left(place)).not.toContain(oldest.runId);
    expect(await left(place)).not.toContain(newest.runId);
    const [line] = await linesOf(place);
    expect(line).toMatchObject({
      callerKind: 'service',
      accountEmail: 'retention',
      subjectId: place.organizationId,
      details: { removed: '2 runs with 2 trials' },
    });
  });

  test('a run that is gone answers as one that never was', async () => {
    const place = await newPlace();
    const suite = await insertSuite(service, place);
    const run = await runOf(suite, 50);
    await runOf(suite, 1);
    const url = `${service.baseUrl}/api/v1/projects/${place.projectId}/eval-runs/${run.runId}`;
    expect((await call(url, { key: place.key })).status).toBe(200);
    await keep(place, 'runs', '1');
    await apply();
    expect((await call(url, { key: place.key })).status).toBe(404);
    const suites = url.replace(`eval-runs/${run.runId}`, `eval-suites/${suite.suiteId}/runs`);
    expect((await call(suites, { key: place.key })).body.items).toHaveLength(1);
  });

  test('a change of a rule is in the audit log; what is no rule is refused', async () => {
    const place = await newPlace();
    await keep(place, 'runs', '90d/50');
    const [line] = await service.operator.readAuditLog({
      organization: place.organizationId,
      kind: 'organization.retentionChanged',
      limit: 5,
    });
    expect(line).toMatchObject({
      callerKind: 'operator',
      details: { kept: 'runs', state: '90d/50' },
    });
    await expect(keep(place, 'suites', '90d')).rejects.toThrow(/There is no kind suites/);
    await expect(keep(place, 'runs', '0')).rejects.toThrow(/A rule must be like 90d/);
  });
});

const undecided = { status: 'cancelled', result: null };

const linesOf = ({ organizationId }: { organizationId: string }) =>
  service.operator.readAuditLog({
    organization: organizationId,
    kind: 'organization.retentionApplied',
    limit: 5,
  });
