import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import type { ModelScript } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import { whole } from '@proofmark/harness/stage-row.ts';
import { stageTools } from '@proofmark/harness/stage-servers.ts';
import { textOfTurns } from '@proofmark/harness/text-of-turns.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listHistories, listSteadyVariants } from './histories.ts';

let fixture: EvalFixture;

const answers: ModelScript = ({ messages }) =>
  messages.some(({ role }) => role === 'tool')
    ? { text: 'It is sunny in Rome.' }
    : { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] };

/** Trials run one after another; each character is the result of one trial. */
function answerBy(results: string): void {
  let begun = 0;
  fixture.provider.scripts.set('one', (request, ...more) => {
    if (request.messages.some(({ role }) => role === 'tool')) return answers(request, ...more);
    const result = results[begun];
    begun += 1;
    if (result === 'x') return { status: 400 };
    return result === '0' ? { text: 'I do not know.' } : answers(request, ...more);
  });
}

beforeAll(async () => {
  fixture = await startEvalFixture({ one: answers }, { trialsAtOncePerRun: 1 });
});
afterAll(() => fixture.stop());

async function makeSuite() {
  const server = await fixture.mcpServer();
  const suiteId = await fixture.suite({
    serverIds: [server.id],
    cases: [{ title: 'Weather', steps: whole, iterations: 3, passThreshold: 0.5 }],
  });
  return { server, suiteId };
}

async function play(suiteId: string, results: string, more = {}) {
  answerBy(results);
  return fixture.run(suiteId, more);
}

async function historiesOf(suiteId: string): Promise<string[]> {
  const { sql } = fixture.service.owner;
  return (await listHistories(sql, suiteId)).histories.map(
    ({ runs, results }) => `${runs}: ${textOfTurns(results)}`,
  );
}

describe('the history of a case variant', () => {
  test('has the graded trials of all runs in the order of their end', async () => {
    const { suiteId } = await makeSuite();
    await play(suiteId, '101');
    await play(suiteId, '0x1');
    expect(await historiesOf(suiteId)).toEqual(['2: 10101']);
  });

  test('begins again with other tools and continues with the former ones', async () => {
    const { server, suiteId } = await makeSuite();
    const { body: before } = await fixture.ask('GET', `servers/${server.id}`);
    await play(suiteId, '111');
    const renamed = stageTools.map((tool) => ({ ...tool, description: 'Said otherwise.' }));
    const other = await fixture.mcpServer({ 'tools/list': { tools: renamed } });
    await fixture.get(200, 'PATCH', `servers/${server.id}`, { url: other.url });
    await play(suiteId, '000');
    expect(await historiesOf(suiteId)).toEqual(['1: 111', '1: 000']);
    await fixture.get(200, 'PATCH', `servers/${server.id}`, { url: before.url });
    await play(suiteId, '011');
    expect(await historiesOf(suiteId)).toEqual(['1: 000', '2: 111011']);
  });

  test('begins again with other content, and not with another title or threshold', async () => {
    const { suiteId } = await makeSuite();
    const { items } = await fixture.get(200, 'GET', `eval-suites/${suiteId}/cases`);
    const edit = (change: object) =>
      fixture.get(200, 'PATCH', `eval-suites/${suiteId}/cases/${items[0].id}`, change);
    await play(suiteId, '110');
    await edit({ title: 'Weather of today', passThreshold: 0.9 });
    await play(suiteId, '111');
    expect(await historiesOf(suiteId)).toEqual(['2: 110111']);
    await edit({ timeoutMs: 60_000 });
    await play(suiteId, '011');
    expect(await historiesOf(suiteId)).toEqual(['2: 110111', '1: 011']);
  });

  test('has no replays, and nothing of a deleted run', async () => {
    const { suiteId } = await makeSuite();
    const first = await play(suiteId, '110');
    const replay = { runId: first.runId, model: 'recorded', servers: 'recorded' };
    await fixture.run(suiteId, { replay });
    expect(await historiesOf(suiteId)).toEqual(['1: 110']);
    await play(suiteId, '111');
    await fixture.get(200, 'DELETE', `eval-runs/${first.runId}`);
    expect(await historiesOf(suiteId)).toEqual(['1: 111']);
  });

  test('of a reported suite goes on over its runs', async () => {
    const suiteName = unique('suite');
    const reporter = createReporter(fixture.service, fixture.tenant);
    const report = (text: string) =>
      reporter.ingest('report', {
        suiteName,
        results: Array.from(text, (one) => ({ ...passing, passed: one === '1' })),
      });
    const { body } = await report('1011');
    await report('11');
    const { suiteId } = await fixture.get(200, 'GET', `eval-runs/${body.runId}`);
    expect(await historiesOf(suiteId)).toEqual(['2: 101111']);
  });
});

/** Copies the only run of a suite until it has so many, with so many results each. */
async function copyResults(suiteId: string, runs: number, variants: number): Promise<void> {
  const { sql } = fixture.service.owner;
  await sql`
    insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status, snapshot)
    select 'run_copy_' || suite_id || number, organization_id, project_id, suite_id, number, source, status, snapshot
    from eval_runs, generate_series(2, ${runs}::int) number where suite_id = ${suiteId}`;
  await sql`
    insert into graded_runs (run_id, organization_id, suite_id, variants, variants_hash, variant_count, results, ended_at)
    select copied.id, copied.organization_id, suite_id, variants, variants_hash, variant_count, results,
      ended_at - make_interval(secs => copied.run_number)
    from graded_runs join eval_runs copied using (suite_id) where suite_id = ${suiteId} and copied.id <> run_id`;
  await sql`
    update graded_runs set variant_count = ${variants}, variants_hash = sha256('many'),
      results = (select string_agg(number || ':1', ' ') from generate_series(1, ${variants}::int) number),
      variants = (select json_agg(json_build_array('case_' || number, null, null, '', null))::text
        from generate_series(1, ${variants}::int) number)
    where suite_id = ${suiteId}`;
}

test.each([
  [1000, 50, 1000, 0],
  [1003, 50, 1000, 3],
  [130, 400, 125, 5],
])(
  'of %i runs with %i results, the newest %i are read, and the %i omitted ones are counted',
  async (runs, variants, read, omitted) => {
    const { suiteId } = await makeSuite();
    const { runId } = await play(suiteId, '111');
    await copyResults(suiteId, runs, variants);
    const { histories, omittedRuns } = await listHistories(fixture.service.owner.sql, suiteId);
    expect(omittedRuns).toBe(omitted);
    expect(histories).toHaveLength(variants);
    expect(new Set(histories.map((one) => `${one.runs} ${one.results.trials}`))).toEqual(
      new Set([`${read} ${read}`]),
    );
    const ago = histories.map((one) => (one.lastEndedAt - one.firstEndedAt) / 1000);
    expect(new Set(ago)).toEqual(new Set([read]));
    const statistics = await fixture.get(200, 'GET', `eval-runs/${runId}/statistics`);
    const flaky = await fixture.get(200, 'GET', `eval-suites/${suiteId}/flaky`);
    expect([statistics.omittedRuns, flaky.omittedRuns]).toEqual([omitted, omitted]);
  },
);

test('runs with former content only are omitted first', async () => {
  const { suiteId } = await makeSuite();
  await play(suiteId, '111');
  await copyResults(suiteId, 1002, 50);
  await fixture.service.owner.sql`
    update graded_runs set variants_hash = sha256('former'), variants = replace(variants, '""', '"former"')
    where suite_id = ${suiteId} and run_id in (
      select run_id from graded_runs where suite_id = ${suiteId} order by ended_at limit 2)`;
  const { histories, omittedRuns } = await listHistories(fixture.service.owner.sql, suiteId);
  expect(omittedRuns).toBe(2);
  expect(histories).toHaveLength(50);
});

test('a case variant is steady after 59 passed trials in a row', async () => {
  const { sql } = fixture.service.owner;
  const { suiteId } = await makeSuite();
  const { runId } = await play(suiteId, '011');
  const steady = async () => (await listSteadyVariants(sql, suiteId)).map((one) => one.steady);
  expect(await steady()).toEqual([false]);
  await sql`update graded_runs set results = ${`1:${'1'.repeat(58)}`} where run_id = ${runId}`;
  expect(await steady()).toEqual([false]);
  await sql`update graded_runs set results = ${`1:0${'1'.repeat(59)}`} where run_id = ${runId}`;
  expect(await steady()).toEqual([true]);
  await sql`update graded_runs set results = ${`1:${'1'.repeat(59)}0`} where run_id = ${runId}`;
  expect(await steady()).toEqual([false]);
});
