/**
 * Replays and runs with an overlay do not measure their suite. They are skipped wherever a run is
 * chosen by default or runs are counted. In these tests, such runs are newer than the only ordinary
 * run.
 */
import { countsForSuite, keepEverything } from '@proofmark/domain';
import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import { unique } from '@proofmark/harness/reporter.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sql } from '../../../platform/database/database.ts';
import { readLatestOfSuites } from '../../home/store/home-runs.ts';
import { planRetention } from '../../retention/store/retention-plan.ts';
import { findPreviousCompletedRun } from '../store/compared-runs.ts';
import { countsForSuiteIn } from '../store/counts-for-suite.ts';
import { readSuites } from '../store/eval-suites.ts';
import { findNewestRunOn } from '../store/failing-trials.ts';
import { listEndedRuns, listGradedBefore } from '../store/graded-trials.ts';
import { findSampleRun } from '../store/sample.ts';
import { readTokensPerTrial } from '../store/spending-of-run.ts';
import { findNewestSurface } from '../store/tool-surfaces.ts';

let fixture: EvalFixture;
/** The answer gets longer with every run, so that the token count identifies the run. */
let answered = 'Sunny.';
const usage = () => ({ prompt_tokens: answered.length, completion_tokens: 1, total_tokens: 1 });
beforeAll(async () => {
  fixture = await startEvalFixture({
    one: () => ({ text: answered, usage: usage() }),
  });
});
afterAll(() => fixture.stop());

interface Prepared {
  readonly suiteId: string;
  readonly serverId: string;
  readonly first: string;
  readonly special: string;
}

const steps = [
  { id: 'ask', kind: 'prompt', prompt: 'What is the weather?' },
  { id: 'says', kind: 'assert', assertion: { type: 'responseContains', needle: 'unny' } },
];

async function prepared(kind: 'replay' | 'overlay'): Promise<Prepared> {
  answered = 'Sunny.';
  const { id: serverId, name: serverName } = await fixture.mcpServer();
  const cases = [{ title: unique('"overlay":{'), steps }];
  const suiteId = await fixture.suite({ serverIds: [serverId], cases });
  const { runId: first } = await fixture.run(suiteId);
  answered = 'Sunny, and a lot more to be paid for.';
  const tools = [{ name: 'weather', description: 'Tells of the weather.' }];
  const more = {
    replay: { replay: { runId: first, model: 'live', servers: 'recorded' } },
    overlay: { overlay: { servers: [{ serverName, tools }] } },
  }[kind];
  const { runId: special, run } = await fixture.run(suiteId, more);
  expect(run).toMatchObject({ status: 'completed', [kind]: expect.anything() });
  // Gives the replay or overlay run (`special`) the same tool surface as the ordinary run, so that
  // only its kind can exclude it.
  await fixture.service.owner.sql`
    update run_tool_surfaces set hash = (select hash from run_tool_surfaces where run_id = ${first})
    where run_id = ${special}`;
  await fixture.service.owner.sql`
    update eval_iterations set tool_surface_hash = (select hash from run_tool_surfaces where run_id = ${first})
    where run_id = ${special}`;
  return { suiteId, serverId, first, special };
}

const tenant = <Result>(work: (sql: Sql) => Promise<Result>) =>
  fixture.service.database.tenant([fixture.tenant.organizationId], work);

const picks: Readonly<Record<string, (sql: Sql, given: Prepared) => Promise<readonly unknown[]>>> =
  {
    'what a later run is compared with': async (sql, { suiteId }) => [
      await findPreviousCompletedRun(sql, { suiteId, runNumber: 99 }),
    ],
    'the latest run of a suite': async (sql, { suiteId }) => [
      (await suiteOf(sql, suiteId))?.latestRun?.id,
    ],
    'what the first page tells of a suite': async (sql, { first, special }) => {
      const cut = { ofStanding: 100, newest: 100, waiverWarningMs: 0 };
      const latest = await readLatestOfSuites(sql, [fixture.tenant.projectId], cut);
      return latest.map(({ runId }) => runId).filter((id) => id === first || id === special);
    },
    'the history of a suite': async (sql, { suiteId }) =>
      (await listEndedRuns(sql, suiteId, 10)).map(({ id }) => id),
    'runs that flakiness is told by': async (sql, { suiteId, first }) => {
      const [row] = await sql<{ hash: string }[]>`
        select hash from run_tool_surfaces where run_id = ${first}`;
      const rows = await listGradedBefore(sql, { suiteId, runNumber: 99 }, row?.hash ?? '', 10);
      return rows.map(({ runId }) => runId);
    },
    'the newest run on a server': async (sql, { serverId }) => [
      await findNewestRunOn(sql, fixture.tenant.projectId, serverId),
    ],
    'the run of the sample': async (sql, { suiteId }) => [await findSampleRun(sql, suiteId)],
    'the decided run that retention spares': async (sql, { first, special }) => {
      const none = { days: null, count: null };
      const rules = { runs: { days: null, count: 0 }, traces: none, sessions: none };
      const plan = await planRetention(sql, fixture.tenant.organizationId, rules as never);
      return [first, special].filter((id) => !plan.runs.includes(id));
    },
  };

async function suiteOf(sql: Sql, suiteId: string) {
  const { items } = await readSuites(sql, fixture.tenant.projectId, { limit: 100 });
  return items.find(({ id }) => id === suiteId);
}

describe.each(['replay', 'overlay'] as const)('a run with %s', (kind) => {
  let given: Prepared;
  beforeAll(async () => {
    given = await prepared(kind);
  });

  test.each(Object.entries(picks))('is not %s', async (_, pick) => {
    expect(await tenant((sql) => pick(sql, given))).toEqual([given.first]);
  });

  test('is no part of the trend of its suite, nor of what a trial of it costs', async () => {
    const { suiteId } = given;
    expect((await tenant((sql) => suiteOf(sql, suiteId)))?.passRateTrend).toHaveLength(1);
    const tokens = await tenant((sql) => readTokensPerTrial(sql, suiteId, 'trial_step'));
    expect(tokens.get('local/one')?.inputTokens).toBe('Sunny.'.length);
  });

  test('is no part of the trials that its suite counts', async () => {
    const suite = await tenant((sql) => suiteOf(sql, given.suiteId));
    expect([suite?.passedTrials, suite?.failedTrials]).toEqual([1, 0]);
  });

  test('pushes out no run that tells of the suite', async () => {
    const { first, special } = given;
    // `whole` overrides the settings that always keep some runs, because those are not tested here.
    const rules = { runs: { days: null, count: 1 }, traces: { days: null, count: 1 } };
    const whole = { ...keepEverything, ...rules };
    const plan = await tenant(async (sql) =>
      planRetention(sql, fixture.tenant.organizationId, whole),
    );
    const going = [...plan.runs, ...plan.traces];
    expect([first, special].filter((id) => going.includes(id))).toEqual([]);
    expect(plan.spared.newestDecided).toBe(0);
  });

  test('does not say what its servers list', async () => {
    const { serverId, special, first } = given;
    const { sql: owner } = fixture.service.owner;
    const newest = () =>
      tenant((sql) => findNewestSurface(sql, fixture.tenant.projectId, [serverId]));
    expect(await newest()).toBeDefined();
    await owner`delete from run_tool_surfaces where run_id = ${first}`;
    const left = await owner`select from run_tool_surfaces where run_id = ${special}`;
    expect([left.count, await newest()]).toEqual([1, undefined]);
  });

  test('is found by the rule alike in the database and in an answer', async () => {
    const { items } = await fixture.get(200, 'GET', `eval-suites/${given.suiteId}/runs`);
    const rows = await tenant(
      (sql) => sql<{ id: string }[]>`
        select id from eval_runs where suite_id = ${given.suiteId} and ${countsForSuiteIn(sql)}`,
    );
    expect(items).toHaveLength(2);
    const speaking = items.filter(countsForSuite).map(({ id }: { id: string }) => id);
    expect(rows.map(({ id }) => id)).toEqual(speaking);
    expect(speaking).toEqual([given.first]);
  });
});

test('a replay does not renew what a server listed before it was edited', async () => {
  answered = 'Sunny.';
  const { id: serverId } = await fixture.mcpServer();
  const suiteId = await fixture.suite({ serverIds: [serverId], cases: [{ title: 'A', steps }] });
  const { runId } = await fixture.run(suiteId);
  const newest = () =>
    tenant((sql) => findNewestSurface(sql, fixture.tenant.projectId, [serverId]));
  expect(await newest()).toBeDefined();
  await fixture.service.owner.sql`update servers set updated_at = now() where id = ${serverId}`;
  expect(await newest()).toBeUndefined();
  await fixture.run(suiteId, { replay: { runId, model: 'recorded', servers: 'recorded' } });
  expect(await newest()).toBeUndefined();
  await fixture.run(suiteId);
  expect(await newest()).toBeDefined();
});
