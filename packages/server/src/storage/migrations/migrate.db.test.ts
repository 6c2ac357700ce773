import { createEmptyDatabase } from '@proofmark/harness/test-database.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { connect } from '../database/connect.ts';
import { appRole, latestMigration, MigrationRefused, migrate } from './migrate.ts';

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

  test('a database user who may hand out the service’s role ends up able to act as it', async () => {
    const url = await emptyDatabase();
    await migrate(url);
    const [server] = await query(
      url,
      "select current_setting('server_version_num')::int as number",
    );
    // From version 16 on, whoever makes a role is its admin and yet may not act as it.
    const asItsMaker =
      (server?.['number'] as number) >= 160_000 ? 'admin true, set false' : 'admin option';
    await query(url, `create role role_maker login createrole password 'for-this-test'`);
    await query(url, `grant ${appRole} to role_maker with ${asItsMaker}`);
    await query(
      url,
      `drop schema proofmark cascade; alter database ${new URL(url).pathname.slice(1)} owner to role_maker`,
    );
    const own = new URL(url);
    own.username = 'role_maker';
    own.password = 'for-this-test';
    try {
      expect(await migrate(own.href)).toMatchObject({ appRoleReady: true });
      await query(own.href, `set role ${appRole}; select 1 from proofmark.accounts`);
    } finally {
      await query(
        url,
        'reassign owned by role_maker to current_user; drop owned by role_maker; drop role role_maker',
      );
    }
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
