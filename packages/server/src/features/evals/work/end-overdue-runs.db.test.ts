import { insertLaunchedRun, type LaunchedRun } from '@proofmark/harness/launched-run.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOperator } from '../../../main/operator.ts';
import { readRun } from '../store/eval-runs.ts';
import { watch } from './end-overdue-runs.ts';

let store: TestDatabase;
let tenant: { readonly organizationId: string; readonly projectId: string };
let run: LaunchedRun;
const logged: object[] = [];
const log = { error: (fields: object) => void logged.push(fields) };

beforeAll(async () => {
  store = await createTestDatabase();
  tenant = await createOperator(store.owner, '').bootstrap({
    email: 'owner@watched.example',
    organization: 'Watched',
  });
});
beforeEach(async () => {
  await store.owner.sql`delete from eval_runs`;
  logged.length = 0;
  run = await insertLaunchedRun(store, tenant, { cases: 4, repetitions: 3, atOnce: 3 });
  await store.owner.sql`update eval_runs set deadline_at = now() + interval '1 hour'`;
});
afterAll(() => store.drop());

test('A run without a plan comes to an end that says why, and keeps no other run waiting', async () => {
  const other = await insertLaunchedRun(store, tenant, { cases: 1, repetitions: 1 });
  await store.owner.sql`update eval_runs set deadline_at = now() - interval '1 second'`;
  await store.owner.sql`delete from eval_run_plans where run_id = ${run.runId}`;
  expect(await watch(store.database, log)).toBe(2);
  expect(await found(run)).toMatchObject({
    status: 'failed',
    result: null,
    verdictSummary: null,
    iterationCount: 12,
    integrityError: expect.stringContaining('The stored plan of this run cannot be read.'),
  });
  expect(await found(other)).toMatchObject({ status: 'failed' });
});

test('What cannot be done for one run is told and keeps no other run waiting', async () => {
  const other = await insertLaunchedRun(store, tenant, { cases: 1, repetitions: 1 });
  await store.owner.sql`update eval_runs set deadline_at = now() - interval '1 second'`;
  // Makes one row impossible to write, as in a damaged database.
  await store.owner.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'damaged'; end $$;
    create trigger damaged before update of status on eval_runs
      for each row when (old.id = '${run.runId}') execute function refuse()`);
  expect(await watch(store.database, log)).toBe(1);
  expect(logged).toMatchObject([{ runId: run.runId }]);
  expect(await found(other)).toMatchObject({ status: 'failed' });
  await store.owner.sql`drop function refuse cascade`;
});

test('A run whose terms cannot be read is ended, undecided', async () => {
  await store.owner.sql`alter table eval_runs disable trigger keep_decided`;
  await store.owner.sql`
    update eval_runs set snapshot = 'broken', deadline_at = now() - interval '1 second'`;
  expect(await watch(store.database, log)).toBe(1);
  expect(await found(run)).toMatchObject({
    status: 'failed',
    result: null,
    verdictSummary: null,
    integrityError:
      'This run could not be decided: The stored rules that decide this run cannot be read.',
  });
  await store.owner.sql`alter table eval_runs enable trigger keep_decided`;
});

test('Runs whose time is over are found by an index, whoever runs them', async () => {
  const plan = await store.owner.transaction(async (sql) => {
    const [row] = await sql<{ body: string }[]>`
      select pg_get_function_sqlbody('overdue_runs'::regproc) as body`;
    const query = row?.body.match(/SELECT[^;]*/)?.[0] ?? '';
    await sql`set local enable_seqscan = off`;
    await sql`set local enable_bitmapscan = off`;
    return JSON.stringify(await sql.unsafe(`explain ${query}`));
  });
  expect(plan).toContain('using eval_runs_deadline');
  expect(plan).toContain('Index Cond: (deadline_at <');
});

function found({ projectId, runId }: LaunchedRun) {
  return store.database.tenant([tenant.organizationId], (sql) => readRun(sql, projectId, runId));
}
