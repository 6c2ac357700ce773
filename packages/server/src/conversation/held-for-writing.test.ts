/**
 * Tests that a tool held for writing (it may change data) is called only if `allowWrites` names it,
 * whether the model, a step or a widget makes the call.
 */
import { type Mutant, refuseByPolicy, type ToolCallStep } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import {
  again,
  ask,
  called,
  messagesOf,
  sunny,
  trialPlayer,
} from '@proofmark/harness/play-trial.ts';
import { act, callOf, see, shop, widgetPlayer } from '@proofmark/harness/play-widgets.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { mutatedServers, seenServers } from './mutated-servers.ts';

const player = trialPlayer();
const { play } = player;
const { playWidgets, close } = widgetPlayer();
afterAll(async () => {
  await player.close();
  await close();
});

const inputSchema = { type: 'object' };
const listed = [
  { name: 'get_record', inputSchema },
  { name: 'create_comment', inputSchema },
  { name: 'create_report', annotations: { readOnlyHint: true }, inputSchema },
  { name: 'tidy', annotations: { destructiveHint: true }, inputSchema },
];
const answers = { 'tools/list': { tools: listed } };
const calls = (...tools: string[]) => ({ calls: tools.map((tool) => ({ tool, input: {} })) });
const step = (toolName: string): ToolCallStep => ({
  id: toolName,
  kind: 'toolCall',
  serverName: 'Weather',
  toolName,
  arguments: {},
});
const expectRecord = {
  id: 'expect' as const,
  kind: 'assert' as const,
  assertion: { type: 'toolCalledAtLeastOnce', toolName: 'get_record' },
} as const;
const none = { plan: { allowWrites: [] }, answers };
const refusedComment = { serverName: 'Weather', toolName: 'create_comment', by: 'allowWrites' };

test('a model that calls a tool held for writing reaches no server, and no server is blamed', async () => {
  const lines = [calls('get_record', 'create_comment'), sunny];
  const { record, server } = await play({ steps: [ask, expectRecord] }, lines, none);
  expect(called(server)).toEqual(['get_record']);
  expect(record).toMatchObject({
    status: 'failed',
    result: null,
    evidence: { blockedByPolicy: true },
    refusedCalls: [refusedComment],
    actualToolCalls: [
      { toolName: 'get_record' },
      { toolName: 'create_comment', notMade: 'refused' },
    ],
  });
  expect(record.chain).not.toHaveProperty('failureCategory');
  expect(new Set(record.chain.stageResults.map(({ state }) => state))).not.toContain('failed');
  expect(record.error).toContain('held for writing (not annotated readOnlyHint: true');
  expect(record.error).toContain('allowWrites: ["create_comment"]');
  expect(JSON.stringify(messagesOf(record))).toContain('allowWrites does not name it');
});

test('a refused call is told at its stage, and what was seen before it stands', async () => {
  const chose = (toolName: string) => ({
    id: 'chose' as const,
    kind: 'assert' as const,
    assertion: { type: 'toolCalledAtLeastOnce', toolName } as const,
  });
  const statesOf = async (steps: Parameters<typeof play>[0]['steps']) => {
    const { record } = await play({ steps }, [calls('create_comment'), sunny], none);
    return record.chain.stageResults.map(({ state, reason }) => `${state}/${reason}`);
  };
  const [reached, blocked] = ['passed/observed', 'notMeasured/blockedByPolicy'];
  expect((await statesOf([ask, chose('create_comment')])).slice(0, 5)).toEqual([
    ...[reached, reached, reached],
    ...[blocked, blocked],
  ]);
  // The model chose a different tool than the expected one. It might have chosen the expected tool
  // next, so its selection is not measured.
  expect((await statesOf([ask, chose('get_record')])).slice(0, 4)).toEqual([
    ...[reached, reached],
    ...[blocked, blocked],
  ]);
  expect((await statesOf([step('create_comment'), expectRecord])).slice(0, 2)).toEqual([
    ...[reached, reached],
  ]);
});

test('the choice is open where a prompt that was not played expects a call', async () => {
  const wanted = (id: string, toolName: string) => ({
    id,
    kind: 'assert' as const,
    assertion: { type: 'toolCalledWith', toolName, args: { args: {} } } as const,
  });
  const first = [ask, wanted('first', 'create_comment')];
  for (const [steps, selection] of [
    [[...first, again], 'passed'],
    [[...first, again, wanted('second', 'get_record')], 'notMeasured'],
  ] as const) {
    const { record } = await play({ steps: [...steps] }, [calls('create_comment'), sunny], none);
    expect(record.chain.stageResults[2]).toMatchObject({ stage: 'selection', state: selection });
  }
});

test('a refused trial that cannot be graded is blocked, and nothing is said of its stages', async () => {
  const { record } = await play({ steps: [ask] }, [calls('create_comment'), sunny], {
    ...none,
    change: (plan) => ({
      ...plan,
      cases: plan.cases.map((one) => ({ ...one, matchOptions: null as never })),
    }),
  });
  expect(record).toMatchObject({ status: 'failed', result: null, evaluatorError: false });
  expect(record.evidence).toMatchObject({ blockedByPolicy: true });
  expect(record.evidence).not.toHaveProperty('refusedAt');
  expect(record.error).toContain('held for writing');
});

test('the wrong tool leaves no verdict, for what the model had done after it nobody knows', async () => {
  const never = {
    id: 'never',
    kind: 'assert' as const,
    assertion: { type: 'toolNeverCalled', toolName: 'create_comment' },
  } as const;
  for (const steps of [
    [ask, expectRecord],
    [ask, never],
  ]) {
    const { record, server } = await play({ steps }, [calls('create_comment'), sunny], none);
    expect(called(server)).toEqual([]);
    expect(record).toMatchObject({ status: 'failed', result: null });
    expect(record.chain).not.toHaveProperty('failureCategory');
  }
});

test('what is named is called, what only reads is called, and without the list all is', async () => {
  const all = [calls('get_record', 'create_report', 'create_comment'), sunny];
  const named = { plan: { allowWrites: ['create_comment'] }, answers };
  for (const options of [named, { answers }]) {
    const { record, server } = await play({ steps: [ask] }, all, options);
    expect(called(server)).toEqual(['get_record', 'create_report', 'create_comment']);
    expect(record).toMatchObject({ result: 'passed', refusedCalls: [] });
  }
  const { record, server } = await play({ steps: [ask] }, [calls('tidy'), sunny], named);
  expect(called(server)).toEqual([]);
  expect(record.refusedCalls).toEqual([{ ...refusedComment, toolName: 'tidy' }]);
  expect(record.error).toContain('annotated destructiveHint: true');
});

describe('a call that the case itself states', () => {
  test('as a step is refused, and the message says which line allows it', async () => {
    const steps = [step('get_record'), step('create_comment'), expectRecord];
    const { record, server } = await play({ steps }, [], none);
    expect(called(server)).toEqual(['get_record']);
    expect(record).toMatchObject({
      status: 'failed',
      result: null,
      refusedCalls: [refusedComment],
      actualToolCalls: [{}, { toolName: 'create_comment', notMade: 'refused' }],
      error: expect.stringContaining('allowWrites: ["create_comment"]'),
    });
    expect(record.chain).not.toHaveProperty('failureCategory');
  });

  test('before and after the steps is refused, too', async () => {
    const before = [step('create_comment')];
    const set = await play({ steps: [ask], before }, [sunny], none);
    expect(called(set.server)).toEqual([]);
    expect(set.record).toMatchObject({
      status: 'setup_failed',
      result: null,
      refusedCalls: [refusedComment],
      error: expect.stringMatching(/by the tool policy: .*allowWrites: \["create_comment"\]/),
    });
    const clean = await play({ steps: [ask], after: before }, [sunny], none);
    expect(called(clean.server)).toEqual([]);
    expect(clean.record).toMatchObject({
      status: 'completed',
      result: 'passed',
      refusedCalls: [refusedComment],
      warnings: [{ code: 'AFTER_FAILED', message: expect.stringContaining('allowWrites') }],
    });
  });

  test('of a tool that nobody lists is refused by its name', async () => {
    const { server } = await play({ steps: [step('delete_everything')] }, [], none);
    expect(called(server)).toEqual([]);
  });
});

test('a widget calls nothing that is held for writing, and fails at no doing of its own', async () => {
  const save = {
    act: async (_: unknown, host: { callTool(name: string, input: object): Promise<unknown> }) => {
      await host.callTool('save', {}).catch(() => undefined);
      return { ok: true } as const;
    },
  };
  const steps = [
    callOf('form', { renderTimeoutMs: 50 }),
    act(),
    see({ kind: 'widgetToolCalled', toolName: 'form', calledToolName: 'save' }, 'saved'),
  ];
  const plan = { allowWrites: [] };
  const { record, server } = await playWidgets({ steps }, save as never, { plan, answers: shop() });
  expect(called(server)).toEqual(['form']);
  expect(record).toMatchObject({ status: 'failed', result: null });
  expect(record.refusedCalls).toMatchObject([{ toolName: 'save', by: 'allowWrites' }]);
});

test('an overlay frees no tool: what the server lists decides', async () => {
  const tools = [{ name: 'create_comment', annotations: { readOnlyHint: true } }];
  const overlay = { servers: [{ serverName: 'Weather', tools }] };
  const { server } = await play({ steps: [ask] }, [calls('create_comment'), sunny], {
    answers,
    plan: { allowWrites: [], overlay, overlayHash: 'hash' },
  });
  expect(called(server)).toEqual([]);
});

test('a mutant frees no tool, and one that reads stays free where a mutant hides it', async () => {
  const properties = { sql: { type: 'string' } };
  const query = { name: 'records', inputSchema: { type: 'object', properties } };
  expect(refuseByPolicy({ toolName: 'records', tool: query }, { allowWrites: [] })).toBeDefined();
  const rename = { operator: 'parameter-renamed', toolName: 'records' } as const;
  const path = '/inputSchema/properties/sql';
  const renamed = await playMutant([query], { ...rename, path, to: 'text' } as never, 'records');
  expect(called(renamed.server)).toEqual([]);
  expect(renamed.record.refusedCalls).toMatchObject([{ toolName: 'records' }]);
  const hidden = { operator: 'tool-missing', toolName: 'create_report' } as const;
  const gone = await playMutant(listed, hidden as never, 'create_report');
  expect(gone.record.refusedCalls).toEqual([]);
});

async function playMutant(tools: readonly object[], mutant: Mutant, toolName: string) {
  const server = await player.start({ 'tools/list': { tools } });
  const servers = [{ id: 'srv_1', name: 'Weather', url: server.url }];
  const runServers = runServersFor(player.mcp, servers);
  const named = { servers: runServers, named: servers, timeoutMsOf: () => 1_000 };
  const own = { ...mutant, serverName: 'Weather' };
  const mutated = mutatedServers({ ...named, seen: seenServers(), mutant: own });
  const definition = { steps: [step(toolName)] };
  const plan = planFor(definition, servers, { allowWrites: [] });
  try {
    const record = await firstTrial(dependenciesFor(mutated, modelOfLines([])), plan);
    return { record, server };
  } finally {
    await runServers.close();
  }
}
