import { createEmptyDatabase } from '@proofmark/harness/test-database.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../database/connect.ts';
import { migrate } from './migrate.ts';

let database: { url: string; drop(): Promise<void> };
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

test('results of case variants become one row for each run, with their order', async () => {
  await migrate(database.url, 4);
  await connect(database.url, (client) =>
    client.query(`set search_path = proofmark;
      insert into organizations (id, name) values ('org_1', 'One');
      insert into projects (id, organization_id, name, visibility) values ('prj_1', 'org_1', 'One', 'public');
      insert into eval_suites (id, organization_id, project_id, name) values ('ste_1', 'org_1', 'prj_1', 'One');
      insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status, snapshot)
        select 'run_' || number, 'org_1', 'prj_1', 'ste_1', number, 'api', 'completed', '{}'
        from generate_series(1, 2) number;
      insert into graded_results (run_id, number, organization_id, suite_id, case_id, model, content_hash, tool_surface_hash,
          results, ended_at)
        values
          ('run_1', 1, 'org_1', 'ste_1', 'b', 'one', 'hash', 'new', '10', '2026-11-01Z'),
          ('run_1', 2, 'org_1', 'ste_1', 'a', null, 'hash', null, '1', '2026-11-01Z'),
          ('run_1', 3, 'org_1', 'ste_1', 'b', 'one', 'hash', 'former', '0', '2026-11-01Z'),
          ('run_2', 1, 'org_1', 'ste_1', 'a', null, 'hash', null, '00', '2026-11-02Z'),
          ('run_2', 2, 'org_1', 'ste_1', 'b', 'one', 'hash', 'former', '11', '2026-11-02Z'),
          ('run_2', 3, 'org_1', 'ste_1', 'b', 'one', 'hash', 'new', '0', '2026-11-02Z')`),
  );
  await migrate(database.url);
  const { rows } = await connect(database.url, (client) =>
    client.query(`select run_id, suite_id, variants::json as variants, variant_count, results, ended_at,
        variants_hash = sha256(convert_to(variants, 'UTF8')) as is_hashed
      from proofmark.graded_runs order by run_id`),
  );
  const variants = [
    ['a', null, null, 'hash', null],
    ['b', 'one', null, 'hash', 'former'],
    ['b', 'one', null, 'hash', 'new'],
  ];
  const same = { suite_id: 'ste_1', variants, variant_count: 3, is_hashed: true };
  expect(rows).toEqual([
    { run_id: 'run_1', ...same, results: '2:1 3:0 1:10', ended_at: new Date('2026-11-01Z') },
    { run_id: 'run_2', ...same, results: '1:00 2:11 3:0', ended_at: new Date('2026-11-02Z') },
  ]);
});
