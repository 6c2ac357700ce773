import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import type { ModelScript } from '@proofmark/harness/model-servers/start-openai-server.ts';
import { createReporter, passing, unique } from '@proofmark/harness/reporter.ts';
import { whole } from '@proofmark/harness/stage-row.ts';
import { stageTools } from '@proofmark/harness/stage-servers.ts';
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
  return (await listHistories(sql, suiteId)).map(
    ({ runs, results }) => `${runs}: ${results.map((passed) => (passed ? '1' : '0')).join('')}`,
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
