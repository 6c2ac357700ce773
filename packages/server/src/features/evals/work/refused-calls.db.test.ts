/**
 * Runs of a suite with `allowWrites`: a rejected call never reaches the server and does not count
 * against it, and the verdict names it.
 */
import { type EvalFixture, startEvalFixture } from '@proofmark/harness/eval-fixture.ts';
import { called } from '@proofmark/harness/play-trial.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: EvalFixture;
let server: Awaited<ReturnType<EvalFixture['mcpServer']>>;
const inputSchema = { type: 'object' };
const tools = [
  { name: 'get_record', inputSchema },
  { name: 'create_comment', inputSchema },
];

beforeAll(async () => {
  const callOnce = (name: string) => (request: { messages: readonly { role: string }[] }) =>
    request.messages.some(({ role }) => role === 'tool')
      ? { text: 'Done.' }
      : { toolCalls: [{ name, arguments: {} }] };
  fixture = await startEvalFixture({
    talks: () => ({ text: 'You are welcome.' }),
    reads: callOnce('get_record'),
    writes: callOnce('create_comment'),
  });
  server = await fixture.mcpServer({ 'tools/list': { tools } });
});
afterAll(() => fixture.stop());

const ask = { id: 'ask', kind: 'prompt', prompt: 'Which record is it?' };
const expectRecord = {
  id: 'expect',
  kind: 'assert',
  assertion: { type: 'toolCalledAtLeastOnce', toolName: 'get_record' },
};
const models = (...names: string[]) => names.map((name) => ({ model: `local/${name}` }));

function suite(settings: object, caseSays: object = {}) {
  return fixture.suite({
    serverIds: [server.id],
    model: 'local/reads',
    settings,
    cases: [{ title: 'Reads', steps: [ask, expectRecord], ...caseSays }],
  });
}

test('a refused call reaches no server and leaves the run without a verdict, which says why', async () => {
  const suiteId = await suite({ allowWrites: [] }, { models: models('writes'), iterations: 3 });
  const before = called(server).length;
  const { runId, run, summary, trials } = await fixture.run(suiteId);
  expect(called(server).length).toBe(before);
  const refused = { serverName: server.name, toolName: 'create_comment', by: 'allowWrites' };
  expect(run).toMatchObject({
    result: null,
    verdict: 'inconclusive',
    summary: { total: 3, passed: 0 },
    refusedCalls: [{ ...refused, calls: 3, trials: 3 }],
  });
  expect(summary).toMatchObject({ verdict: 'inconclusive', refusedCalls: run.refusedCalls });
  expect(summary.decision.cases[0]).toMatchObject({ eligibleTrials: 0, failedTrials: 0 });
  const [trial] = trials;
  expect(trial).toMatchObject({ status: 'failed', result: null, refusedCalls: [refused] });
  expect(trial).not.toHaveProperty('failureCategory');
  expect(summary.diagnostics.items[0].advice).toContain('allowWrites');
  const read = await fixture.get(200, 'GET', `eval-runs/${runId}/iterations/${trial.id}`);
  expect(read.refusedCalls).toEqual([refused]);
});

test('what an author names is called, and a run in which nothing was refused says nothing of it', async () => {
  const suiteId = await suite({ allowWrites: ['create_comment'] }, { models: models('writes') });
  const before = called(server).length;
  const { run, summary } = await fixture.run(suiteId);
  expect(called(server).slice(before)).toEqual(['create_comment']);
  // All calls were permitted this time, so the model's wrong choice of a tool makes the run fail.
  expect(run.result).toBe('failed');
  for (const one of [run, summary]) expect(one).not.toHaveProperty('refusedCalls');
});

test('a run tells which cases are switched off and which tools it may not call', async () => {
  const off = { title: 'Comments', steps: [ask], disabled: true };
  const suiteOf = (settings: object) =>
    fixture.suite({
      serverIds: [server.id],
      model: 'local/reads',
      settings,
      cases: [{ title: 'Reads', steps: [ask, expectRecord] }, off],
    });
  const cases = { total: 1, titles: ['Comments'] };
  const held = { serverName: server.name, toolName: 'create_comment' };
  const closed = await fixture.run(await suiteOf({ allowWrites: [] }));
  for (const one of [closed.run, closed.summary]) {
    expect(one.leftOut).toMatchObject({ cases, tools: { total: 1, items: [held] } });
  }
  const open = await fixture.run(await suiteOf({}));
  for (const one of [open.run, open.summary]) expect(one.leftOut).toEqual({ cases });
  const whole = await fixture.run(await suite({ allowWrites: ['create_comment'] }));
  for (const one of [whole.run, whole.summary]) expect(one).not.toHaveProperty('leftOut');
});

test('a run tells a name in allowWrites that no server listed, and its verdict stays', async () => {
  const { run, summary } = await fixture.run(
    await suite({ allowWrites: ['create_comment', 'creat_comment'] }),
  );
  expect(run.result).toBe('passed');
  const unlisted = { total: 1, toolNames: ['creat_comment'] };
  for (const one of [run, summary]) expect(one.leftOut).toEqual({ unlisted });
});

test('a run in which no server was called says so, and its decision stays', async () => {
  const talk = { title: 'Small talk', steps: [{ ...ask, prompt: 'Thanks!' }], isNegative: true };
  const suiteOf = (...cases: { title: string; steps: object[] }[]) =>
    fixture.suite({ serverIds: [server.id], model: 'local/talks', cases });
  const { run, summary } = await fixture.run(await suiteOf(talk));
  expect(run).toMatchObject({ result: 'passed', nothingCalled: true });
  expect(summary).toMatchObject({ verdict: 'passed', nothingCalled: true });
  const step = { id: 'c', kind: 'toolCall', serverName: server.name, toolName: 'get_record' };
  const calls = { title: 'Calls', steps: [{ ...step, arguments: {} }, expectRecord] };
  const other = await fixture.run(await suiteOf(talk, calls));
  expect(other.run.result).toBe('passed');
  for (const one of [other.run, other.summary]) expect(one).not.toHaveProperty('nothingCalled');
});

test('a suite that gets drafts calls no tool held for writing until its author names it', async () => {
  const generate = async (id: string) =>
    fixture.get(200, 'POST', `eval-suites/${id}/cases/generate`, {});
  const policyOf = async (id: string) =>
    (await fixture.get(200, 'GET', `eval-suites/${id}`)).settings.allowWrites;
  const drafted = await suite({});
  expect(await policyOf(drafted)).toBeUndefined();
  const reason = 'held for writing: not annotated readOnlyHint: true, and its name says create';
  expect(await generate(drafted)).toMatchObject({
    // One of the drafted cases expects this tool, so the draft allows it.
    allowWrites: ['get_record'],
    leftOut: [{ serverName: server.name, toolName: 'create_comment', reason }],
  });
  expect(await policyOf(drafted)).toEqual(['get_record']);
  const allowed = { settings: { allowWrites: ['create_comment'] } };
  await fixture.get(200, 'PATCH', `eval-suites/${drafted}`, allowed);
  expect(await generate(drafted)).toMatchObject({ allowWrites: ['create_comment'] });
  expect(await policyOf(drafted)).toEqual(['create_comment']);
  // A step that calls a tool counts as the author's permission to call it.
  const step = { id: 'c', kind: 'toolCall', serverName: server.name, toolName: 'create_comment' };
  const own = await suite({}, { steps: [{ ...step, arguments: {} }] });
  await generate(own);
  expect(await policyOf(own)).toEqual(['create_comment']);
});

test('the list is edited and cleared, and an empty one is not a missing one', async () => {
  const suiteId = await suite({ allowWrites: [] });
  const path = `eval-suites/${suiteId}`;
  const settings = async () => (await fixture.get(200, 'GET', path)).settings;
  expect(await settings()).toMatchObject({ allowWrites: [] });
  await fixture.get(200, 'PATCH', path, { settings: { allowWrites: ['create_comment'] } });
  expect(await settings()).toMatchObject({ allowWrites: ['create_comment'] });
  await fixture.get(200, 'PATCH', path, { settings: { allowWrites: null } });
  expect(await settings()).not.toHaveProperty('allowWrites');
  const wrong = { settings: { allowWrites: 'create_comment' } };
  expect((await fixture.ask('PATCH', path, wrong)).status).toBe(400);
});

test('a replay goes by the policy of now, and refuses what an earlier run called', async () => {
  const suiteId = await suite({}, { models: models('writes') });
  const first = await fixture.run(suiteId);
  expect(called(server)).toContain('create_comment');
  const path = `eval-suites/${suiteId}`;
  await fixture.get(200, 'PATCH', path, { settings: { allowWrites: [] } });
  const before = called(server).length;
  const terms = { runId: first.runId, model: 'recorded', onDivergence: 'live' };
  for (const servers of ['recorded', 'live']) {
    const { run } = await fixture.run(suiteId, { replay: { ...terms, servers } });
    expect(run.refusedCalls).toMatchObject([{ toolName: 'create_comment', trials: 1 }]);
  }
  expect(called(server).length).toBe(before);
});

test('a name that is cut in the middle of a character is told all the same', async () => {
  const name = `create_${'x'.repeat(248)}😀`;
  const odd = await fixture.mcpServer({ 'tools/list': { tools: [{ name, inputSchema }] } });
  const pinned = { id: 'pin', kind: 'toolCall', serverName: odd.name, toolName: name };
  const suiteId = await fixture.suite({
    serverIds: [odd.id],
    model: 'local/reads',
    settings: { allowWrites: [] },
    cases: [{ title: 'Creates', steps: [{ ...pinned, arguments: {} }] } as never],
  });
  const { run, summary } = await fixture.run(suiteId);
  expect(run.refusedCalls).toMatchObject([
    { toolName: `${name.slice(0, -2)}\ufffd`, by: 'allowWrites', calls: 1 },
  ]);
  expect(summary.refusedCalls).toEqual(run.refusedCalls);
});
