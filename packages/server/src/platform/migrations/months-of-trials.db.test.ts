import { idMonths, makeId } from '@proofmark/domain';
import { createEmptyDatabase } from '@proofmark/harness/test-database.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../database/connect.ts';
import { migrate } from './migrate.ts';

const chance = new Uint8Array(10).fill(200);
const runs = [
  makeId('evalRun', Date.UTC(2025, 0, 1), new Uint8Array(10)),
  makeId('evalRun', Date.UTC(2025, 1, 1) - 1, chance),
  makeId('evalRun', Date.UTC(2025, 1, 1), chance),
  makeId('evalRun', Date.now(), chance),
  ...['run_1', 'RUN_É', '', makeId('evalRun', Date.UTC(1999, 0), chance)],
];
let database: { url: string; drop(): Promise<void> };
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

async function query(statement: string): Promise<Record<string, unknown>[]> {
  const result = await connect(database.url, (client) => client.query(statement));
  return ([result].flat().at(-1) as { rows: Record<string, unknown>[] }).rows;
}

async function fill(ids: readonly string[] = runs): Promise<void> {
  await query(
    `set search_path = proofmark;
    insert into organizations (id, name) values ('org_1', 'One');
    insert into projects (id, organization_id, name, visibility) values ('prj_1', 'org_1', 'One', 'public');
    insert into eval_suites (id, organization_id, project_id, name) values ('ste_1', 'org_1', 'prj_1', 'One');
    insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status, snapshot)
      select id, 'org_1', 'prj_1', 'ste_1', number, 'api', 'completed', '{}'
      from unnest(array[${ids.map((id) => `'${id}'`).join()}]) with ordinality as runs (id, number);
    insert into eval_iterations (run_id, ordinal, id, organization_id, iteration_number, numbered, status, result,
        evaluator_error, expected_tool_calls, actual_tool_calls, external_id, started_at, score_integrity, chain)
      select id, ordinal, 'itr_' || ordinal, 'org_1', ordinal, true, 'completed', 'failed', false, '[1]', '[2]',
        'external ' || ordinal, '2026-02-03 04:05:06.789Z', 'valid', repeat('größe ', 1000 * ordinal)
      from eval_runs, generate_series(1, 2) ordinal;
    insert into eval_traces (run_id, ordinal, organization_id, trace, details)
      select id, 2, 'org_1', (select string_agg(md5(n::text), '') from generate_series(1, 500) n), id from eval_runs;
    insert into eval_judgements (run_id, ordinal, organization_id, case_key, score, passed, rubric_hits)
      select id, 2, 'org_1', 'case', 0.25, true, '["hit"]' from eval_runs`,
  );
}

const content = `
  select 'trial' as kind, run_id collate "C" as run, ordinal, trial::text from proofmark.eval_iterations trial
  union all select 'trace', run_id, ordinal, trace::text from proofmark.eval_traces trace
  union all select 'judgement', run_id, ordinal, judgement::text from proofmark.eval_judgements judgement
  order by kind, run, ordinal`;

const makeMonths = (from: number, count: number) =>
  query(
    idMonths('evalRun', from, count)
      .map(
        (month) =>
          `select proofmark.make_month_of_trials('${month.name}', '${month.from}', '${month.to}')`,
      )
      .join(';'),
  );

test('every row lies in the partition of its month, and odd ids in the default one', async () => {
  await migrate(database.url);
  await makeMonths(Date.UTC(2025, 0), 2);
  await fill();
  expect(await query(content)).toHaveLength(4 * runs.length);
  const [now = { name: '' }] = idMonths('evalRun', Date.now(), 1);
  for (const table of ['eval_iterations', 'eval_traces', 'eval_judgements']) {
    const places = await query(
      `select run_id, split_part(tableoid::regclass::text, '${table}_', 2) as month from proofmark.${table}`,
    );
    const monthOf = new Map(places.map((row) => [row['run_id'], row['month']]));
    expect(runs.map((id) => monthOf.get(id))).toEqual([
      ...['2025_01', '2025_01', '2025_02', now.name, 'default', 'default', 'default', 'default'],
    ]);
  }
});

test('in a database that sorts z before t, as Estonian does, every month holds what is its own', async () => {
  const [icu] = await query(
    "select count(*)::int as count from pg_collation where collprovider = 'i'",
  );
  if (icu?.['count'] === 0) return;
  const name = `${new URL(database.url).pathname.slice(1)}_et`;
  await query(
    `create database ${name} template template0 encoding 'UTF8' locale 'C' locale_provider icu icu_locale 'et'`,
  );
  const own = { ...database };
  database = { ...own, url: own.url.replace(/[^/]+$/, name) };
  try {
    await migrate(database.url);
    await makeMonths(Date.UTC(2024, 0), 24);
    const ids = Array.from({ length: 24 }, (_, month) => [
      makeId('evalRun', Date.UTC(2024, month), new Uint8Array(10)),
      makeId('evalRun', Date.UTC(2024, month + 1) - 1, chance),
    ]).flat();
    await fill(ids);
    const places = await query(
      `select eval_runs.id, eval_traces.tableoid::regclass::text as place from proofmark.eval_traces
      join proofmark.eval_runs on eval_runs.id = run_id order by run_number`,
    );
    const monthOf = (index: number) =>
      new Date(Date.UTC(2024, Math.floor(index / 2))).toISOString().slice(0, 7).replace('-', '_');
    expect(places).toEqual(
      ids.map((id, index) => ({ id, place: `eval_traces_${monthOf(index)}` })),
    );
    await query('delete from proofmark.eval_runs');
    expect(await query(content)).toEqual([]);
  } finally {
    database = own;
    await query(`drop database ${name} with (force)`);
  }
});
