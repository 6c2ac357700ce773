import { createEmptyDatabase } from '@proofmark/harness/test-database.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../kernel/sha256-hex.ts';
import { connect } from '../database/connect.ts';
import { migrateQueue } from '../jobs/start-queue.ts';
import { latestMigration, MigrationRefused, migrate } from './migrate.ts';

const open: { drop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) await database.drop();
});

async function emptyDatabase(): Promise<string> {
  const database = await createEmptyDatabase();
  open.push(database);
  return database.url;
}

async function query(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const result = await connect(url, (client) => client.query(statement));
  // The driver gives a list where there were several statements; the last one counts.
  return ([result].flat().at(-1) as { rows: Record<string, unknown>[] }).rows;
}

describe('migrating', () => {
  test('four processes that start together apply each migration once', async () => {
    const url = await emptyDatabase();
    const reports = await Promise.all([1, 2, 3, 4].map(() => migrate(url)));
    expect(reports.flatMap((report) => report.applied)).toHaveLength(latestMigration);
    const ledger = await query(url, 'select number from proofmark.migrations order by number');
    expect(ledger.map((row) => row['number'])).toEqual(
      Array.from({ length: latestMigration }, (_, at) => at + 1),
    );
  });

  test('again does nothing, and a half-way database goes on from where it is', async () => {
    const url = await emptyDatabase();
    expect((await migrate(url, 1)).applied).toEqual(['identity']);
    expect((await migrate(url)).applied).toHaveLength(latestMigration - 1);
    expect((await migrate(url)).applied).toEqual([]);
  });

  test('a migration that fails leaves nothing of itself behind', async () => {
    const url = await emptyDatabase();
    await migrate(url, 1);
    await query(url, 'create table proofmark.servers (in_the_way int)');
    await expect(migrate(url)).rejects.toThrow('already exists');
    const tables = await query(
      url,
      "select table_name from information_schema.tables where table_schema = 'proofmark' and table_name in ('projects', 'chat_sessions')",
    );
    expect(tables).toEqual([]);
    await query(url, 'drop table proofmark.servers');
    expect((await migrate(url)).applied).toHaveLength(latestMigration - 1);
  });

  test('runs that are there already name the tools their trials were offered', async () => {
    const url = await emptyDatabase();
    await migrate(url, 8);
    await query(
      url,
      `set search_path = proofmark; set session_replication_role = replica;
      insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status, snapshot)
        values ('run_1', 'org_1', 'prj_1', 'ste_1', 1, 'api', 'completed', '{}');
      insert into eval_iterations (run_id, ordinal, id, organization_id, iteration_number, numbered, status,
          evaluator_error, expected_tool_calls, actual_tool_calls, tool_surface_hash)
        select 'run_1', number, number, 'org_1', number, true, 'completed', false, '[]', '[]', hash
        from (values (1, 'seen'), (2, 'seen'), (3, 'changed'), (4, null)) as trials (number, hash)`,
    );
    await migrate(url);
    const named = await query(url, 'select * from proofmark.run_tool_surfaces order by hash');
    expect(named).toEqual(
      ['changed', 'seen'].map((hash) => ({ organization_id: 'org_1', run_id: 'run_1', hash })),
    );
  });

  test('trials that are there already keep the configuration of their scores, stored once', async () => {
    const url = await emptyDatabase();
    await migrate(url, 18);
    const config = `{"hash":"x","definitions":[{"scorerId":"größe \\u0000"}]}`;
    await query(
      url,
      `set search_path = proofmark;
      insert into organizations (id, name) values ('org_1', 'One'), ('org_2', 'Two');
      set session_replication_role = replica;
      insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status, snapshot)
        values ('run_1', 'org_1', 'prj_1', 'ste_1', 1, 'api', 'completed', '{}'),
          ('run_2', 'org_2', 'prj_2', 'ste_2', 1, 'sdk', 'completed', '{}');
      insert into eval_iterations (run_id, ordinal, id, organization_id, iteration_number, numbered, status,
          evaluator_error, expected_tool_calls, actual_tool_calls, scores, evaluation_config)
        select run_id, ordinal, ordinal, organization_id, ordinal, true, 'completed', false, '[]', '[]', '[' || ordinal || ']', config
        from (values ('run_1', 1, 'org_1', '${config}'), ('run_1', 2, 'org_1', '${config}'), ('run_1', 3, 'org_1', '{"cut'),
            ('run_1', 4, 'org_1', null), ('run_2', 1, 'org_2', '${config}'))
          as trials (run_id, ordinal, organization_id, config)`,
    );
    await migrate(url);
    const trials = await query(
      url,
      `select run_id, ordinal, scores, config from proofmark.eval_iterations trial
        left join proofmark.evaluation_configs configs
          on configs.organization_id = trial.organization_id and configs.hash = config_hash
      order by run_id, ordinal`,
    );
    expect(trials.map((row) => Object.values(row))).toEqual([
      ['run_1', 1, '[1]', config],
      ['run_1', 2, '[2]', config],
      ['run_1', 3, '[3]', '{"cut'],
      ['run_1', 4, '[4]', null],
      ['run_2', 1, '[1]', config],
    ]);
    const named = await query(
      url,
      `select run_id, hash, config from proofmark.run_evaluation_configs
        join proofmark.evaluation_configs using (organization_id, hash) order by run_id, config`,
    );
    expect(named.map((row) => Object.values(row))).toEqual([
      ['run_1', sha256Hex('{"cut'), '{"cut'],
      ['run_1', sha256Hex(config), config],
      ['run_2', sha256Hex(config), config],
    ]);
  });

  test('runs and judges that are under way go on, and the jobs that worked on them are gone', async () => {
    const url = await emptyDatabase();
    await migrate(url, 16);
    await migrateQueue(url);
    const pending = (askedAt: number) =>
      JSON.stringify({
        goalCompletion: {
          status: 'pending',
          errorCode: null,
          summary: null,
          generatedAt: null,
          modelUsed: null,
          threshold: 0.7,
          cases: [],
          askedAt,
          model: 'a/b',
        },
      });
    const told = { caseKey: 'one', score: 0.5, passed: false, reason: null, rubricHits: ['x'] };
    const said = JSON.stringify({ evidence: {}, judged: { askedAt: 5, told } });
    const before = JSON.stringify({ evidence: {}, judged: { askedAt: 4, told } });
    await query(
      url,
      `set search_path = proofmark; set session_replication_role = replica;
      insert into projects (id, organization_id, name, visibility) values ('prj_1', 'org_1', 'One', 'public');
      insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status, snapshot, lanes,
          expected_iterations, judges)
        values ('run_open', 'org_1', 'prj_1', 'ste_1', 1, 'api', 'running', '{}', 3, 60, null),
          ('run_over', 'org_1', 'prj_1', 'ste_1', 2, 'api', 'completed', '{}', 3, 10, '${pending(5)}'),
          ('run_told', 'org_1', 'prj_1', 'ste_1', 3, 'api', 'completed', '{}', 3, 10,
            '${pending(5).replace('"pending"', '"completed"')}'),
          ('run_broken', 'org_1', 'prj_1', 'ste_1', 4, 'api', 'completed', '{}', 3, 10, '{"goalCompletion":{"status":"pen');
      insert into eval_traces (run_id, ordinal, organization_id, trace, details)
        values ('run_over', 1, 'org_1', '{}', '${said}'), ('run_over', 2, 'org_1', '{}', '${before}');
      insert into eval_slices (run_id, slice, organization_id, first_ordinal, last_ordinal, status, lease, leased_until)
        values ('run_open', 1, 'org_1', 1, 20, 'done', 1, null),
          ('run_open', 2, 'org_1', 21, 40, 'leased', 1, now() + interval '6 seconds'),
          ('run_open', 3, 'org_1', 41, 60, 'open', 0, null), ('run_over', 1, 'org_1', 1, 10, 'done', 1, null);
      set session_replication_role = origin;
      select graphile_worker.add_job('eval-lane', '{}'::json, job_key => 'lane:run_open:1'),
        graphile_worker.add_job('judge-run', '{}'::json, job_key => 'judge:run_over'),
        graphile_worker.add_job('housekeeping', '{}'::json, job_key => 'kept')`,
    );
    await migrate(url);
    const groups = await query(
      url,
      'select kind, id, at_once, is_over from proofmark.work_groups order by id',
    );
    expect(groups).toEqual([
      { kind: 'eval-trials', id: 'run_open', at_once: 3, is_over: false },
      { kind: 'eval-judgements', id: 'run_over', at_once: 1, is_over: false },
    ]);
    const work = await query(
      url,
      `select group_id, number, first_item, last_item, status, leased_until is not null as is_leased
      from proofmark.leased_work order by group_id, number`,
    );
    expect(work.map((row) => Object.values(row).join(' '))).toEqual([
      ...[
        'run_open 1 1 20 done false',
        'run_open 2 21 40 leased true',
        'run_open 3 41 60 open false',
      ],
      ...['run_over 1 1 8 open false', 'run_over 2 9 16 open false'],
    ]);
    const judges = await query(
      url,
      'select id, judge_status, judge_model, judge_threshold from proofmark.eval_runs order by id',
    );
    expect(judges.map((row) => Object.values(row).join(' '))).toEqual([
      ...['run_broken   ', 'run_open   ', 'run_over pending a/b 0.7', 'run_told completed a/b 0.7'],
    ]);
    expect(await query(url, 'select * from proofmark.eval_judgements')).toEqual([
      {
        run_id: 'run_over',
        ordinal: 1,
        organization_id: 'org_1',
        case_key: 'one',
        score: 0.5,
        passed: false,
        reason: null,
        rubric_hits: '["x"]',
        groundedness: null,
      },
    ]);
    expect(await query(url, 'select key from graphile_worker._private_jobs')).toEqual([
      { key: 'kept' },
    ]);
  });

  test('a database of a newer version is refused and left as it is', async () => {
    const url = await emptyDatabase();
    await migrate(url);
    await query(
      url,
      `insert into proofmark.migrations (number, name) values (${latestMigration + 1}, 'future')`,
    );
    await expect(migrate(url)).rejects.toThrow(MigrationRefused);
  });
});
