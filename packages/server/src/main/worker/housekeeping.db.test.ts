import { idMonths } from '@proofmark/domain';
import { holdSlice } from '@proofmark/harness/hold-slice.ts';
import { insertLaunchedRun } from '@proofmark/harness/launched-run.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nameConfigs } from '../../features/evals/store/evaluation-configs.ts';
import { writeTrialUpdates } from '../../features/evals/store/record-trials.ts';
import type { Sql } from '../../platform/database/database.ts';
import { createOperator } from '../operator.ts';
import { housekeeping } from './housekeeping.ts';

let service: TestDatabase;
beforeAll(async () => {
  service = await createTestDatabase();
});
afterAll(() => service.drop());

test('answers that are kept for repeated requests go after seven days, in every organization', async () => {
  const { sql } = service.owner;
  for (const name of ['one', 'two']) {
    const { organizationId } = await createOperator(service.owner, '').bootstrap({
      email: `owner@${name}.example`,
      organization: name,
    });
    for (const days of [0, 6, 8]) {
      await sql`
        insert into idempotent_answers (organization_id, operation, key, request_hash, answer, created_at)
        values (${organizationId}, 'launch', ${`${days} days`}, 'hash', '{}', now() - make_interval(days => ${days}))`;
    }
  }
  expect(await housekeeping(service.database)).toMatchObject({ oldAnswers: 2 });
  const left = await sql<{ key: string }[]>`select key from idempotent_answers order by key`;
  expect(left.map(({ key }) => key)).toEqual(['0 days', '0 days', '6 days', '6 days']);
});

test('months to come get tables', async () => {
  const [, next] = idMonths('evalRun', Date.now(), 2);
  await service.owner.sql.unsafe(`drop table eval_traces_${next?.name}`);
  const { monthsAhead } = await housekeeping(service.database);
  expect(monthsAhead).toEqual(['there', 'made', 'there']);
});

describe('the text of tools that trials were offered', () => {
  let place: { organizationId: string; projectId: string };
  beforeAll(async () => {
    place = await createOperator(service.owner, '').bootstrap({
      email: 'owner@tools.example',
      organization: 'tools',
    });
  });

  const launch = (projectId = place.projectId) =>
    insertLaunchedRun(service, { ...place, projectId }, { cases: 2, repetitions: 1, atOnce: 2 });

  async function endTrial(sql: Sql, runId: string, hash: string): Promise<void> {
    const held = await holdSlice(service, runId);
    const ended = {
      ordinal: held.firstItem,
      status: 'completed',
      result: 'passed',
      evaluatorError: false,
      startedAtMs: 1,
      durationMs: 1,
      tokensUsed: null,
      usage: null,
      actualToolCalls: [],
      error: null,
      scores: null,
      chain: {},
      trace: {},
      details: {},
      spent: [],
      toolSurface: { hash, text: `{"srv":"${hash}"}` },
    };
    await writeTrialUpdates(sql, { ...place, runId }, [{ held, ended }]);
  }
  const tenant = <Result>(work: (sql: Sql) => Promise<Result>) =>
    service.database.tenant([place.organizationId], work);
  const growOld = () =>
    service.owner.sql`update tool_surfaces set last_named_at = last_named_at - interval '2 days'`;
  const kept = async () => {
    const rows = await service.owner.sql<{ hash: string }[]>`
      select hash from tool_surfaces order by hash`;
    return rows.map(({ hash }) => hash);
  };
  const leaveBehind = (hash: string) => service.owner.sql`
    insert into tool_surfaces (organization_id, hash, surface, last_named_at)
    values (${place.organizationId}, ${hash}, '{}', now() - interval '2 days')`;

  test('goes with the last suite or project whose runs name it, after a day', async () => {
    const { sql } = service.owner;
    await sql`insert into projects ${sql({ id: 'prj_gone', organization_id: place.organizationId, name: 'Gone', visibility: 'public' })}`;
    const [staying, ofSuite, ofProject] = [
      await launch(),
      await launch(),
      await launch('prj_gone'),
    ];
    for (const [runId, hash] of [
      [staying.runId, 'of both'],
      [ofSuite.runId, 'of both'],
      [ofSuite.runId, 'of the suite'],
      [ofProject.runId, 'of the project'],
      [ofProject.runId, 'of the project'],
    ] as const) {
      await tenant((transaction) => endTrial(transaction, runId, hash));
    }
    await sql`delete from eval_suites where id = ${ofSuite.suiteId}`;
    await sql`delete from projects where id = 'prj_gone'`;
    expect(await housekeeping(service.database)).toMatchObject({ unnamedSurfaces: 0 });
    await growOld();
    expect(await housekeeping(service.database)).toMatchObject({ unnamedSurfaces: 2 });
    expect(await kept()).toEqual(['of both']);
  });

  test('stays where a trial is about to name it', async () => {
    const { runId } = await launch();
    await leaveBehind('named again');
    await tenant(async (sql) => {
      await endTrial(sql, runId, 'named again');
      expect(await housekeeping(service.database)).toMatchObject({ unnamedSurfaces: 0 });
    });
    await growOld();
    await housekeeping(service.database);
    expect(await kept()).toContain('named again');
  });

  test('is written anew where it goes while a trial is about to name it', async () => {
    const { runId } = await launch();
    await leaveBehind('gone meanwhile');
    const { going } = await service.owner.transaction(async (sql) => {
      await sql`delete from tool_surfaces where hash = 'gone meanwhile'`;
      const started = tenant((own) => endTrial(own, runId, 'gone meanwhile'));
      await untilWaiting(sql, 1);
      // A promise that is returned directly would be awaited inside the transaction. But the trial
      // waits for that transaction's lock, so this would deadlock.
      return { going: started };
    });
    await going;
    expect(await kept()).toContain('gone meanwhile');
  });
});

describe('the text of a configuration that scores were made by', () => {
  let place: { organizationId: string; projectId: string };
  beforeAll(async () => {
    place = await createOperator(service.owner, '').bootstrap({
      email: 'owner@configs.example',
      organization: 'configs',
    });
  });

  const launch = () => insertLaunchedRun(service, place, { cases: 1, repetitions: 1 });
  const name = (sql: Sql, { runId }: { runId: string }, ...hashes: string[]) =>
    nameConfigs(
      sql,
      { id: runId, organizationId: place.organizationId },
      new Map(hashes.map((hash) => [hash, { hash }])),
    );
  const tenant = <Result>(work: (sql: Sql) => Promise<Result>) =>
    service.database.tenant([place.organizationId], work);
  const kept = async () => {
    const rows = await service.owner.sql<{ hash: string }[]>`
      select hash from evaluation_configs order by hash`;
    return rows.map(({ hash }) => hash);
  };
  const leaveBehind = (hash: string) => service.owner.sql`
    insert into evaluation_configs (organization_id, hash, config)
    values (${place.organizationId}, ${hash}, '{}')`;

  test('goes with the last suite whose runs name it', async () => {
    const [staying, going] = [await launch(), await launch()];
    await tenant((sql) => name(sql, staying, 'of both'));
    await tenant((sql) => name(sql, going, 'of one', 'of both'));
    expect(await housekeeping(service.database)).toMatchObject({ unnamedConfigs: 0 });
    await service.owner.sql`delete from eval_suites where id = ${going.suiteId}`;
    expect(await housekeeping(service.database)).toMatchObject({ unnamedConfigs: 1 });
    expect(await kept()).toEqual(['of both']);
  });

  test('stays where a run is about to name it, and keeps no other run waiting', async () => {
    const [one, other] = [await launch(), await launch()];
    await leaveBehind('named again');
    await tenant(async (sql) => {
      await name(sql, one, 'named again');
      await tenant((own) => name(own, other, 'named again'));
      await service.owner.sql`delete from eval_suites where id = ${other.suiteId}`;
      expect(await housekeeping(service.database)).toMatchObject({ unnamedConfigs: 0 });
    });
    await housekeeping(service.database);
    expect(await kept()).toContain('named again');
  });

  test('is written anew where it goes while a run is about to name it', async () => {
    const run = await launch();
    await leaveBehind('gone meanwhile');
    const { naming } = await service.owner.transaction(async (sql) => {
      await sql`delete from evaluation_configs where hash = 'gone meanwhile'`;
      const started = tenant((own) => name(own, run, 'gone meanwhile'));
      await untilWaiting(sql, 1);
      return { naming: started };
    });
    await naming;
    expect(await kept()).toContain('gone meanwhile');
  });
});
