import { idMonths, keepEverything, makeId } from '@proofmark/domain';
import {
  insertRun,
  insertSuite,
  insertTrialRows,
  insertWaiver,
  type SuiteIds,
} from '@proofmark/harness/eval-rows.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { housekeeping } from '../../../main/worker/housekeeping.ts';
import { makeMonthsAhead } from '../../evals/store/months-ahead.ts';
import { applyRetention } from './apply-retention.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const dayMs = 86_400_000;
const newSuite = async () => {
  const place = await service.operator.bootstrap({
    email: `owner@${unique('stuck')}.example`,
    organization: unique('stuck'),
  });
  await service.operator.setRetention(place.organizationId, 'runs', '30d');
  return insertSuite(service, place);
};
const runAt = async (suite: SuiteIds, atMs: number) => {
  const at = new Date(atMs);
  const id = makeId('evalRun', atMs, crypto.getRandomValues(new Uint8Array(10)));
  await insertRun(service, suite, { id, created_at: at, completed_at: at });
  await insertTrialRows(service, { ...suite, runId: id }, [{}, {}]);
  return id;
};
const runsOf = async (suite: SuiteIds) => {
  const ids: string[] = [];
  for (const days of [50, 40, 1]) ids.push(await runAt(suite, Date.now() - days * dayMs));
  return ids;
};
const left = async ({ suiteId }: SuiteIds) => {
  const rows = await service.owner.sql<{ id: string; trials: number }[]>`
    select id, (select count(*)::integer from eval_iterations where run_id = eval_runs.id) as trials
    from eval_runs where suite_id = ${suiteId} order by run_number`;
  return rows.map(({ id, trials }) => [id, trials]);
};
const whileStuck = async (ids: readonly string[], work: () => Promise<void>) => {
  const { sql } = service.owner;
  await sql.unsafe(`
    create function stuck() returns trigger language plpgsql as $$ begin
      if old.id in (${ids.map((id) => `'${id}'`).join()}) then
        raise exception 'this one is stuck'; end if;
      return old; end $$;
    create trigger stuck before delete on eval_runs for each row execute function stuck();`);
  try {
    await work();
  } finally {
    await sql.unsafe('drop function stuck() cascade');
  }
};

test('a run that cannot go keeps neither others nor the rest of housekeeping from being done', async () => {
  const { sql } = service.owner;
  const suites = [await newSuite(), await newSuite()];
  const made: string[][] = [];
  for (const suite of suites) made.push(await runsOf(suite));
  // Makes one run of each suite impossible to delete.
  const stuck = made.map(([first = '']) => first);
  await sql`
    insert into evaluation_configs (organization_id, hash, config)
    values (${suites[0]?.organizationId ?? ''}, 'unnamed', '{}')`;
  await whileStuck(stuck, async () => {
    await expect(housekeeping(service.database)).rejects.toThrow(/this one is stuck/);
    for (const [index, suite] of suites.entries()) {
      const [first, , newest] = made[index] ?? [];
      expect(await left(suite)).toEqual([
        [first, 2],
        [newest, 2],
      ]);
    }
    expect((await sql`select from evaluation_configs where hash = 'unnamed'`).count).toBe(0);
  });
  expect((await housekeeping(service.database)).retention).toMatchObject({ runs: 2 });
});

test('months to come have their tables whatever else fails', async () => {
  const { sql } = service.owner;
  const [, next] = idMonths('evalRun', Date.now(), 2);
  const there = async () => {
    const [row] = await sql<{ there: boolean }[]>`
      select to_regclass(${`eval_traces_${next?.name}`}) is not null as there`;
    return row?.there;
  };
  await sql.unsafe(`drop table eval_traces_${next?.name}`);
  await sql.unsafe('alter table worker_beats rename to away');
  try {
    await expect(housekeeping(service.database)).rejects.toThrow(/worker_beats/);
  } finally {
    await sql.unsafe('alter table away rename to worker_beats');
  }
  expect(await there()).toBe(true);
});

test('a month goes with its runs or stays with them', async () => {
  const month = Date.UTC(2025, 1);
  await makeMonthsAhead(service.database, month);
  const suite = await newSuite();
  const [one, other] = [
    await runAt(suite, month + 5 * dayMs),
    await runAt(suite, month + 6 * dayMs),
  ];
  const newest = await runAt(suite, Date.now() - dayMs);
  const apply = () => applyRetention(service.database, keepEverything);
  await whileStuck([one, other], async () => {
    await expect(apply()).rejects.toThrow(/this one is stuck/);
  });
  const all = [one, other, newest].map((id) => [id, 2]);
  expect(await left(suite)).toEqual(all);
  // The waiver is a new reason to keep the run, so the run keeps all its data.
  await insertWaiver(service, { ...suite, runId: other });
  expect(await apply()).toMatchObject({ runs: 1, months: [] });
  expect(await left(suite)).toEqual(all.slice(1));
});
