import { randomBytes } from 'node:crypto';
import { idMonths, makeId } from '@proofmark/domain';
import { createEmptyDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore, type Store } from './open-store.ts';
import { resolveSettings } from './settings.ts';

let database: { url: string; drop(): Promise<void> };
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

test('a start makes the months that are missing, and says which cannot be made any more', async () => {
  const [now, next] = idMonths('evalRun', Date.now(), 2).map(({ name }) => name);
  const { settings } = resolveSettings(
    {},
    {
      PROOFMARK_DATABASE_URL: database.url,
      PROOFMARK_SECRET_KEY: randomBytes(32).toString('hex'),
    },
  );
  const start = async <Result>(work: (store: Store) => Promise<Result>) => {
    const store = await openStore(settings, database);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  const runId = makeId('evalRun', Date.now(), randomBytes(10));
  const warnings = await start(async (store) => {
    await store.owner.sql.unsafe(`
      drop table eval_traces_${now}, eval_traces_${next};
      insert into organizations (id, name) values ('org_1', 'One');
      insert into projects (id, organization_id, name, visibility) values ('prj_1', 'org_1', 'One', 'public');
      insert into eval_suites (id, organization_id, project_id, name) values ('ste_1', 'org_1', 'prj_1', 'One');
      insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status, snapshot)
        values ('${runId}', 'org_1', 'prj_1', 'ste_1', 1, 'api', 'completed', '{}');
      insert into eval_traces (run_id, ordinal, organization_id, details)
        select '${runId}', number, 'org_1', '{}' from generate_series(1, 1001) number`);
    return store.warnings;
  });
  expect(warnings).toEqual([]);
  await start(async (store) => {
    expect(store.warnings).toEqual([expect.stringContaining(`month ${now} `)]);
    const [found] = await store.owner.sql`
      select to_regclass(${`eval_traces_${now}`}) as now, to_regclass(${`eval_traces_${next}`})::text as next,
        (select distinct tableoid::regclass::text from eval_traces) as place`;
    expect(found).toEqual({ now: null, next: `eval_traces_${next}`, place: 'eval_traces_default' });
  });
});
