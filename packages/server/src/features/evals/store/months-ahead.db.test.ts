import { idMonths, makeId } from '@proofmark/domain';
import {
  insertRun,
  insertSuite,
  insertTrace,
  insertTrialRows,
  type RunIds,
  type SuiteIds,
} from '@proofmark/harness/eval-rows.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Sql } from '../../../platform/database/database.ts';
import { listCaseTotals, measureRun } from './compared-runs.ts';
import { listTrialsToJudge, lowestJudgements } from './judged-trials.ts';
import { makeMonthsAhead } from './months-ahead.ts';
import {
  readScannedTrials,
  readTracedTrial,
  readTrial,
  readTrials,
  selectPicked,
} from './stored-trials.ts';
import { readWidgetPicture, readWidgets } from './stored-widgets.ts';
import { findToolSurface } from './tool-surfaces.ts';

const tables = [
  'eval_iterations',
  'eval_judgements',
  'eval_traces',
  'eval_widget_pictures',
  'eval_widgets',
];
let service: TestService;
let mine: Tenant;
let theirs: Tenant;
let suite: SuiteIds;
let year = 2100;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
  suite = await insertSuite(service, mine);
});
afterAll(() => service.stop());

/** Each call returns a time in another year, so no two tests use the same partitions. */
function newYear(): number {
  year += 1;
  return Date.UTC(year, 0, 15);
}

async function runAt(moment: number, place: SuiteIds = suite): Promise<RunIds> {
  const id = makeId('evalRun', moment, crypto.getRandomValues(new Uint8Array(10)));
  return { ...(await insertRun(service, place, { id })), runId: id };
}

async function partsLike(pattern: string): Promise<string[]> {
  const rows = await service.owner.sql<{ name: string }[]>`
    select relname::text as name from pg_class
    where relispartition and relkind = 'r' and relname like ${pattern} order by relname`;
  return rows.map(({ name }) => name);
}

async function placeOf({ runId }: RunIds): Promise<unknown[]> {
  const rows = await service.owner
    .sql`select tableoid::regclass::text as name from eval_iterations where run_id = ${runId}`;
  return rows.map((row) => row['name']);
}

async function tablesOfTraces({ runId }: RunIds): Promise<unknown[]> {
  const rows = await service.owner
    .sql`select distinct tableoid::regclass::text as name from eval_traces where run_id = ${runId}`;
  return rows.map((row) => row['name']);
}

describe('making months', () => {
  test('the service makes this month and the next two, once', async () => {
    const moment = newYear();
    const names = [1, 2, 3].map((month) => `${year}_0${month}`);
    const outcomes = (outcome: string) => names.map((month) => ({ month, outcome }));
    expect(await makeMonthsAhead(service.database, moment)).toEqual(outcomes('made'));
    expect(await makeMonthsAhead(service.database, moment)).toEqual(outcomes('there'));
    expect(await partsLike(`%${year}%`)).toEqual(
      tables.flatMap((table) => names.map((month) => `${table}_${month}`)),
    );
    const run = await runAt(moment);
    await insertTrialRows(service, run, [{}]);
    expect(await placeOf(run)).toEqual([`eval_iterations_${year}_01`]);
  });

  test('processes that do it together make each month once, and none fails', async () => {
    const moment = newYear();
    const others = Array.from({ length: 4 }, () =>
      openDatabase({ ...service, url: service.serviceUrl, as: 'service', maxConnections: 1 }),
    );
    try {
      const all = await Promise.all(others.map((other) => makeMonthsAhead(other, moment)));
      const made = all.flat().filter(({ outcome }) => outcome === 'made');
      expect(made.map(({ month }) => month).sort()).toEqual(
        [1, 2, 3].map((month) => `${year}_0${month}`),
      );
      expect(all.flat().filter(({ outcome }) => outcome === 'held')).toEqual([]);
    } finally {
      await Promise.all(others.map((other) => other.close()));
    }
  });

  test('a few rows that came before their month are moved into it', async () => {
    const moment = newYear();
    const run = await runAt(moment);
    await insertTrace(service, run);
    const outcomes = await makeMonthsAhead(service.database, moment);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['made', 'made', 'made']);
    expect(await tablesOfTraces(run)).toEqual([`eval_traces_${year}_01`]);
  });

  test('many rows that came before their month stay where they are, and so does the month', async () => {
    const moment = newYear();
    const run = await runAt(moment);
    await service.owner.sql`
      insert into eval_traces (run_id, ordinal, organization_id, details)
      select ${run.runId}, number, ${run.organizationId}, '{}' from generate_series(1, 1001) number`;
    const [first, ...others] = await makeMonthsAhead(service.database, moment);
    expect(first?.outcome).toBe('held');
    expect(others.map(({ outcome }) => outcome)).toEqual(['made', 'made']);
    expect(await partsLike(`%${year}_01`)).toEqual([]);
    expect(await tablesOfTraces(run)).toEqual(['eval_traces_default']);
  });

  test.each([
    ['a run is written', (sql: Sql) => sql`update eval_runs set notes = 'x'`],
    ['a default partition is read', (sql: Sql) => sql`select from eval_traces`],
  ])('while %s it gives up soon, and comes another time', async (_, hold) => {
    const moment = newYear();
    await runAt(Date.now());
    const outcomes = await service.owner.transaction(async (sql) => {
      await hold(sql);
      return makeMonthsAhead(service.database, moment);
    });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['busy', 'busy', 'busy']);
    expect(await partsLike(`%${year}%`)).toEqual([]);
    const again = await makeMonthsAhead(service.database, moment);
    expect(again.map(({ outcome }) => outcome)).toEqual(['made', 'made', 'made']);
  });
});

describe('nobody reads a part past the policy of the whole', () => {
  test('not one the role was granted with all tables, and not one that was made later', async () => {
    const now = Date.now();
    const moment = newYear();
    await makeMonthsAhead(service.database, moment);
    const ofMine = [await runAt(now), await runAt(moment), await runAt(0)];
    const otherSuite = await insertSuite(service, theirs);
    const ofTheirs = [
      await runAt(now, otherSuite),
      await runAt(moment, otherSuite),
      await runAt(0, otherSuite),
    ];
    for (const run of [...ofMine, ...ofTheirs]) {
      await insertTrialRows(service, run, [{}]);
      await insertTrace(service, run);
    }
    const [month = { name: '' }] = idMonths('evalRun', now, 1);
    for (const table of ['eval_iterations', 'eval_traces']) {
      for (const part of [month.name, `${year}_01`, 'default']) {
        const name = `${table}_${part}`;
        expect(
          (await service.owner.sql`select from ${service.owner.sql(name)}`).count,
        ).toBeGreaterThan(1);
        const seen = service.database
          .tenant([mine.organizationId], (sql) => sql`select * from ${sql(name)}`)
          .then((rows) => rows.length)
          .catch((error: Error) => error.message);
        expect([0, `permission denied for table ${name}`]).toContain(await seen);
      }
      const whole = await service.database.tenant(
        [mine.organizationId],
        (sql) =>
          sql`select organization_id from ${sql(table)} where run_id in ${sql(
            [...ofMine, ...ofTheirs].map(({ runId }) => runId),
          )}`,
      );
      expect(whole.map((row) => row['organizationId'])).toEqual(Array(3).fill(mine.organizationId));
    }
  });
});

describe('a statement that names its run reaches the month of the run alone', () => {
  test.each(['force_custom_plan', 'force_generic_plan'])('with %s', async (mode) => {
    const moment = newYear();
    await makeMonthsAhead(service.database, moment);
    const run = await runAt(moment);
    const [id = ''] = await insertTrialRows(service, run, [{}, {}]);
    await insertTrace(service, run);
    const { runId } = run;
    // A connection may report the statistics of its earlier statements late, so the test opens a
    // new one.
    const own = openDatabase({
      ...service,
      url: service.serviceUrl,
      as: 'service',
      maxConnections: 1,
    });
    const touched = await own.tenant([mine.organizationId], async (sql) => {
      await sql`select set_config('plan_cache_mode', ${mode}, true)`;
      expect((await readTrials(sql, runId, { limit: 1 })).items).toHaveLength(1);
      expect((await readScannedTrials(sql, runId, { limit: 50 })).items).toHaveLength(2);
      expect(await readTrial(sql, runId, id)).toBeDefined();
      expect(await readTracedTrial(sql, mine.projectId, runId, id)).toBeDefined();
      expect(await findToolSurface(sql, mine.projectId, runId, id)).toBeDefined();
      expect(await sql`${selectPicked(sql, runId, { result: 'failed' }, 0, 9)}`).toHaveLength(2);
      await listTrialsToJudge(sql, { groupId: runId, firstItem: 1, lastItem: 9 });
      await lowestJudgements(sql, runId);
      await listCaseTotals(sql, runId);
      await measureRun(sql, runId);
      expect(await readWidgets(sql, mine.projectId, runId, id)).toBeDefined();
      expect(await readWidgetPicture(sql, runId, 'none')).toBeUndefined();
      await sql`update eval_iterations set title = 'x' where run_id = ${runId}`;
      await sql`delete from eval_traces where run_id = ${runId}`;
      return sql<{ name: string }[]>`
        select relname::text as name from pg_stat_xact_user_tables
        where schemaname = 'proofmark' and relname ~ '_(default|[0-9]{4}_[0-9]{2})$'
          and coalesce(seq_scan, 0) + coalesce(idx_scan, 0) > 0 order by relname`;
    });
    await own.close();
    expect(touched.map(({ name }) => name)).toEqual(tables.map((table) => `${table}_${year}_01`));
  });
});
