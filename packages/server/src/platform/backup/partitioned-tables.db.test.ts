import { join } from 'node:path';
import { idMonths, makeId } from '@proofmark/domain';
import {
  type TemporaryDirectory,
  temporaryDirectory,
} from '@proofmark/harness/temporary-directory.ts';
import { createEmptyDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../database/connect.ts';
import {
  latestMigration,
  migrate,
  migrateWithin,
  refuseBeforeBaseLine,
} from '../migrations/migrate.ts';
import { backupTo } from './backup-to.ts';
import { restoreFrom, verifyBackup } from './restore-from.ts';

const [longAgo, after] = idMonths('evalRun', Date.UTC(2023, 4), 2);
const runs = {
  longAgo: makeId('evalRun', Date.UTC(2023, 4, 17), new Uint8Array(10)),
  now: makeId('evalRun', Date.now(), new Uint8Array(10)),
  odd: 'zzz',
};
const open: { drop(): Promise<void> }[] = [];
let directory: TemporaryDirectory;
beforeAll(() => {
  directory = temporaryDirectory();
});
afterAll(() => directory.remove());
afterEach(async () => {
  for (const database of open.splice(0)) await database.drop();
});

describe.each(['superuser', 'owner of the tables only'])('as %s', (role) => {
  const newDatabase = async (): Promise<string> => {
    const database = await createEmptyDatabase();
    open.push(database);
    if (role === 'superuser') return database.url;
    const url = new URL(database.url);
    await query(
      database.url,
      `do $$ begin
        create role owner_of_months login password 'for-this-test';
      exception when duplicate_object then null; end $$;
      alter database ${url.pathname.slice(1)} owner to owner_of_months`,
    );
    url.username = 'owner_of_months';
    url.password = 'for-this-test';
    return url.href;
  };
  const restore = async (url: string, file: string) => {
    const verified = await verifyBackup(file, latestMigration);
    return connect(url, (client) =>
      restoreFrom(client, verified, { migrate: migrateWithin, refuse: refuseBeforeBaseLine }),
    );
  };

  test('rows come back into the tables of their months, which are made where they are missing', async () => {
    const [source, target] = [await newDatabase(), await newDatabase()];
    await migrate(source);
    await fill(source);
    const file = join(directory.path, `backup-${role}`);
    const report = await backupTo(source, file);
    const names = report.tables.map(({ name }) => name);
    expect(names).toContain('eval_iterations');
    expect(names.filter((name) => /_default$|_\d{4}_\d\d$/.test(name))).toEqual([]);
    expect(report.tables).toContainEqual({ name: 'eval_traces', rows: 3 });

    await restore(target, file);
    const expected = await whereRowsLie(source);
    expect(expected).toContain(`eval_iterations_${longAgo?.name} ${runs.longAgo} trial`);
    expect(expected).toContain(`eval_traces_default ${runs.odd} trace of zzz`);
    expect(await whereRowsLie(target)).toEqual(expected);
    expect(await constraints(target)).toEqual(await constraints(source));

    // In a second restore, every partition already exists.
    await restore(target, file);
    expect(await whereRowsLie(target)).toEqual(expected);
    // Rows of a month without a partition go to the default partition, until a restore replaces
    // them.
    await query(
      target,
      `set search_path = proofmark;
      drop table eval_traces_${longAgo?.name};
      insert into eval_traces (run_id, ordinal, organization_id, details)
        values ('${runs.longAgo}', 1, 'org_1', 'late')`,
    );
    await restore(target, file);
    expect(await whereRowsLie(target)).toEqual(expected);
    await query(target, `delete from proofmark.eval_runs where id = '${runs.longAgo}'`);
    expect(await whereRowsLie(target)).toEqual(
      expected.filter((line) => !line.includes(runs.longAgo)),
    );
  });
});

async function fill(url: string): Promise<void> {
  const ids = Object.values(runs).map((id) => `'${id}'`);
  await query(
    url,
    `set search_path = proofmark;
    select make_month_of_trials('${longAgo?.name}', '${longAgo?.from}', '${longAgo?.to}'),
      make_month_of_trials('${after?.name}', '${after?.from}', '${after?.to}');
    insert into organizations (id, name) values ('org_1', 'One');
    insert into projects (id, organization_id, name, visibility) values ('prj_1', 'org_1', 'One', 'public');
    insert into eval_suites (id, organization_id, project_id, name) values ('ste_1', 'org_1', 'prj_1', 'One');
    insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status, snapshot)
      select id, 'org_1', 'prj_1', 'ste_1', number, 'api', 'completed', '{}'
      from unnest(array[${ids.join()}]) with ordinality as runs (id, number);
    insert into eval_iterations (run_id, ordinal, id, organization_id, iteration_number, numbered, status,
        evaluator_error, expected_tool_calls, actual_tool_calls, title)
      select id, 1, 'itr_1', 'org_1', 1, true, 'completed', false, '[]', '[]', 'trial' from eval_runs;
    insert into eval_traces (run_id, ordinal, organization_id, details)
      select id, 1, 'org_1', 'trace of ' || id from eval_runs;
    insert into eval_judgements (run_id, ordinal, organization_id, case_key, passed, rubric_hits)
      select id, 1, 'org_1', 'judged', true, '[]' from eval_runs`,
  );
}

async function whereRowsLie(url: string): Promise<string[]> {
  const rows = await query(
    url,
    `select tableoid::regclass::text || ' ' || run_id || ' ' || title as line from proofmark.eval_iterations
    union all select tableoid::regclass || ' ' || run_id || ' ' || details from proofmark.eval_traces
    union all select tableoid::regclass || ' ' || run_id || ' ' || case_key from proofmark.eval_judgements
    order by line`,
  );
  return rows.map(({ line }) => String(line).replace(/^proofmark\./, ''));
}

function constraints(url: string) {
  return query(
    url,
    `select conrelid::regclass || ' ' || pg_get_constraintdef(c.oid) || ' ' || relrowsecurity as line
    from pg_constraint c join pg_class on pg_class.oid = conrelid
    where connamespace = 'proofmark'::regnamespace order by line`,
  );
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const result = await connect(url, (client) => client.query(statement));
  return ([result].flat().at(-1) as { rows: Record<string, unknown>[] }).rows;
}
