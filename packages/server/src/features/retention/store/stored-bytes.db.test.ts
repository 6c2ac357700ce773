import { insertRun, insertSuite } from '@proofmark/harness/eval-rows.ts';
import { createReporter, unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant } from '@proofmark/harness/two-tenants.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureStorage } from './stored-bytes.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('a run that somebody holds is left to the next look, and keeps no other waiting', async () => {
  const tenants = [
    await createTenant(service, unique('measured')),
    await createTenant(service, unique('measured')),
  ];
  const started: string[] = [];
  for (const tenant of tenants) {
    const { ingest } = createReporter(service, tenant);
    for (const suiteName of ['One', 'Two', 'Three']) {
      started.push((await ingest('runs/start', { suiteName })).body.runId);
    }
  }
  const measured = async () => {
    const rows = await service.owner.sql<{ runId: string }[]>`
      select run_id from run_sizes where run_id = any (${started}) order by run_id`;
    return rows.map(({ runId }) => runId);
  };
  const [, held = ''] = started;
  const others = started.filter((id) => id !== held);
  await service.owner.transaction(async (sql) => {
    await sql`select from eval_runs where id = ${held} for update`;
    const measuring = measureStorage(service.database, 'recent');
    await untilWaiting(sql, 1);
    // The measurement waits for one locked run but does not lock the other runs.
    await service.owner.transaction(
      (own) => own`select from eval_runs where id = any (${others}) for update`,
    );
    await measuring;
    expect(await measured()).toEqual([...others].sort());
  }, 'slow');
  await measureStorage(service.database, 'recent');
  expect(await measured()).toEqual([...started].sort());
});

test('runs that change all the time are measured once in a look', async () => {
  const place = await createTenant(service, unique('measured'));
  const suite = await insertSuite(service, place);
  for (let made = 0; made < 201; made += 1) await insertRun(service, suite);
  await measureStorage(service.database, 'recent');
  const { sql } = service.owner;
  await sql`update eval_runs set revision = revision + 1 where suite_id = ${suite.suiteId}`;
  await sql.unsafe(`
    create function changes_again() returns trigger language plpgsql as $$
    begin update proofmark.eval_runs set revision = revision + 1 where id = new.run_id; return new; end $$;
    create trigger changes_again before update on run_sizes for each row execute function changes_again();`);
  try {
    expect(await measureStorage(service.database, 'recent')).toBe(201);
  } finally {
    await sql.unsafe('drop function changes_again() cascade');
  }
});
