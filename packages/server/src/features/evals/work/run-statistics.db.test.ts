import { randomBytes } from 'node:crypto';
import { makeId } from '@proofmark/domain';
import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import type { ModelScript } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import { whole } from '@proofmark/harness/stage-row.ts';
import { stageTools } from '@proofmark/harness/stage-servers.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: EvalFixture;
let serverId: string;

const answers: ModelScript = ({ messages }) =>
  messages.some(({ role }) => role === 'tool')
    ? { text: 'It is sunny in Rome.' }
    : { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] };

/**
 * The first `failing` trials get a useless answer, the provider rejects the next `away` trials, and
 * the others pass.
 */
function firstFail(failing: number, away = 0): void {
  let begun = 0;
  fixture.provider.scripts.set('one', (request, ...more) => {
    const isAnswered = request.messages.some(({ role }) => role === 'tool');
    if (!isAnswered) begun += 1;
    if (isAnswered || begun > failing + away) return answers(request, ...more);
    return begun <= failing ? { text: 'I do not know.' } : { status: 400 };
  });
}

beforeAll(async () => {
  fixture = await startEvalFixture({ one: answers });
  serverId = (await fixture.mcpServer()).id;
});
afterAll(() => fixture.stop());

const suite = (servers = [serverId], iterations = 5) =>
  fixture.suite({
    serverIds: servers,
    cases: [{ title: 'Weather', steps: whole, iterations, passThreshold: 0.5 }],
  });

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into.
const statistics = async (runId: string, query = ''): Promise<any> =>
  fixture.get(200, 'GET', `eval-runs/${runId}/statistics${query}`);

describe('the statistics of a run', () => {
  test('count what was graded and nothing else', async () => {
    firstFail(1, 1);
    const { runId, run } = await fixture.run(await suite());
    const answer = await statistics(runId, '?k=2');
    expect(answer).toMatchObject({
      runId,
      unit: 'caseVariant',
      k: 2,
      toolSurface: { state: 'one' },
    });
    const [row] = answer.cases;
    const [decided] = run.verdictSummary.cases;
    expect(row).toMatchObject({
      caseId: decided.caseId,
      title: 'Weather',
      model: 'local/one',
      provider: 'local',
      trials: 5,
      eligibleTrials: 4,
      passedTrials: 3,
      passThreshold: 0.5,
      largestK: 4,
      // C(3,2) / C(4,2), because 3 of 4 trials passed.
      passHatK: 0.5,
      passRateInterval: run.trialStatistics.cases[0].passRateInterval,
      flakiness: { runs: 1, eligibleTrials: 4, passedTrials: 3, mixedRuns: 1, stability: 'mixed' },
    });
    expect(row.passRateInterval.method).toBe('wilson');
    expect(row.history).toMatchObject({
      runs: 1,
      trials: 4,
      passed: 3,
      interval: { confidence: 0.95, method: 'anyTime' },
      threshold: { rate: 0.5, side: 'open', since: null },
      steady: false,
    });
  });

  test('know pass^k for no k above what was graded, and for none without asking', async () => {
    firstFail(0);
    const { runId } = await fixture.run(await suite([serverId], 3));
    const of = async (query: string) => (await statistics(runId, query)).cases[0].passHatK;
    expect([await of(''), await of('?k=3'), await of('?k=4')]).toEqual([null, 1, null]);
    for (const k of ['0', '101', '1.5', 'x', '']) {
      const answer = await fixture.ask('GET', `eval-runs/${runId}/statistics?k=${k}`);
      expect([answer.status, answer.body.details.path]).toEqual([400, 'query.k']);
    }
  });

  test('look back over runs with the same tools, and over no others', async () => {
    const server = await fixture.mcpServer();
    const suiteId = await suite([server.id], 2);
    firstFail(2);
    const first = await fixture.run(suiteId);
    firstFail(0);
    const second = await fixture.run(suiteId);
    const past = (await statistics(second.runId)).cases[0];
    expect(past).toMatchObject({ history: { runs: 2, trials: 4, passed: 2 } });
    expect(past.passRateInterval).toEqual(past.history.interval);
    expect(past.passRateInterval.method).toBe('anyTime');
    expect((await statistics(first.runId)).cases[0].history).toMatchObject({ runs: 1, trials: 2 });
    const both = { runs: 2, eligibleTrials: 4, passedTrials: 2, mixedRuns: 0, flips: 1 };
    expect((await statistics(second.runId)).cases[0].flakiness).toEqual({
      ...both,
      stability: 'mixed',
    });
    const renamed = stageTools.map((tool) => ({ ...tool, description: 'Said otherwise.' }));
    const other = await fixture.mcpServer({ 'tools/list': { tools: renamed } });
    await fixture.get(200, 'PATCH', `servers/${server.id}`, { url: other.url });
    const third = await fixture.run(suiteId);
    const answer = await statistics(third.runId);
    expect(answer.cases[0].flakiness).toMatchObject({ runs: 1, stability: 'stable pass' });
    // Later runs do not change the statistics of an earlier run.
    expect((await statistics(second.runId)).cases[0].flakiness).toMatchObject(both);
  });

  test('of a reported run say that its tools are not known', async () => {
    const results = [true, true, false].map((passed) => ({ ...passing, passed }));
    const report = { suiteName: unique('suite'), results };
    const { body } = await createReporter(fixture.service, fixture.tenant).ingest('report', report);
    const answer = await statistics(body.runId, '?k=2');
    expect(answer.toolSurface).toEqual({ state: 'unknown' });
    expect(answer.cases[0]).toMatchObject({
      eligibleTrials: 3,
      passedTrials: 2,
      passThreshold: 1,
      flakiness: null,
      history: { runs: 1, trials: 3, threshold: { rate: 1, side: 'below', since: 3 } },
    });
    expect(answer.cases[0].passHatK).toBeCloseTo(1 / 3, 12);
  });
});

describe('the history of a run', () => {
  test('is read from its trials where nothing was kept about it', async () => {
    firstFail(1);
    const { runId } = await fixture.run(await suite());
    const [{ history }] = (await statistics(runId)).cases;
    await fixture.service.owner.sql`delete from graded_runs where run_id = ${runId}`;
    expect((await statistics(runId)).cases[0].history).toEqual(history);
  });

  test('is absent for a replay', async () => {
    firstFail(0);
    const suiteId = await suite();
    const { runId } = await fixture.run(suiteId);
    const replay = { runId, model: 'recorded', servers: 'recorded' };
    const replayed = await fixture.run(suiteId, { replay });
    const [row] = (await statistics(replayed.runId)).cases;
    expect([row.history, row.passRateInterval.method]).toEqual([null, 'wilson']);
  });

  test('tells a regression with changed tools, and flakiness without a change', async () => {
    const server = await fixture.mcpServer();
    const suiteId = await suite([server.id], 10);
    firstFail(0);
    await fixture.run(suiteId);
    const renamed = stageTools.map((tool) => ({ ...tool, description: 'Said otherwise.' }));
    const other = await fixture.mcpServer({ 'tools/list': { tools: renamed } });
    await fixture.get(200, 'PATCH', `servers/${server.id}`, { url: other.url });
    firstFail(7);
    const { runId } = await fixture.run(suiteId);
    expect((await statistics(runId)).cases[0].history).toMatchObject({
      runs: 1,
      stability: 'regressed',
    });
    const unchanged = await suite([serverId], 10);
    firstFail(0);
    const passed = await fixture.run(unchanged);
    expect((await statistics(passed.runId)).cases[0].history.stability).toBe('undetermined');
    firstFail(7);
    const failed = await fixture.run(unchanged);
    expect((await statistics(failed.runId)).cases[0].history).toMatchObject({
      runs: 2,
      stability: 'flaky',
    });
  });
});

test('of 1,000 runs with the same tools the newest 20 are looked at, and the history has all', async () => {
  firstFail(0);
  const suiteId = await suite([serverId], 5);
  const { runId } = await fixture.run(suiteId);
  const sql = fixture.service.owner.sql;
  const ids = Array.from({ length: 999 }, () => makeId('evalRun', Date.now(), randomBytes(10)));
  await sql`update eval_runs set run_number = 1000 where id = ${runId}`;
  await sql`
    insert into eval_runs (id, organization_id, project_id, suite_id, run_number, source, status, snapshot, iteration_count)
    select made.id, organization_id, project_id, suite_id, place, 'api', 'completed', snapshot, 5
    from eval_runs, unnest(${ids}::text[]) with ordinality as made (id, place) where eval_runs.id = ${runId}`;
  await sql`
    insert into run_tool_surfaces (organization_id, run_id, hash)
    select organization_id, made.id, hash from run_tool_surfaces, unnest(${ids}::text[]) as made (id)
    where run_id = ${runId}`;
  // Inserts a history of runs in which every second one failed.
  await sql`
    insert into eval_iterations (run_id, ordinal, id, organization_id, case_id, title, iteration_number, numbered, status,
      result, evaluator_error, model, provider, expected_tool_calls, actual_tool_calls, chain, tool_surface_hash)
    select made.id, ordinal, eval_iterations.id || place, organization_id, case_id, title, iteration_number, true, status,
      case when place % 2 = 0 then 'passed' else 'failed' end, false, model, provider, '[]', '[]', chain, tool_surface_hash
    from eval_iterations, unnest(${ids}::text[]) with ordinality as made (id, place) where run_id = ${runId}`;
  await sql`
    insert into graded_runs (run_id, organization_id, suite_id, variants, variants_hash, variant_count, results, ended_at)
    select made.id, organization_id, suite_id, variants, variants_hash, variant_count,
      case when place % 2 = 0 then '1:11111' else '1:00000' end, ended_at - make_interval(secs => 1000 - place)
    from graded_runs, unnest(${ids}::text[]) with ordinality as made (id, place) where run_id = ${runId}`;
  await sql`analyze`;
  const [row] = (await statistics(runId)).cases;
  expect(row.flakiness).toMatchObject({
    runs: 20,
    eligibleTrials: 100,
    passedTrials: 50,
    mixedRuns: 0,
    flips: 19,
  });
  expect(row.history).toMatchObject({ runs: 1000, trials: 5000, passed: 2500, stability: 'flaky' });
});
