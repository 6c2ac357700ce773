import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import { startEverythingServer } from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import {
  ask,
  called,
  callWeather,
  expectWeather,
  messagesOf,
  pinned,
  type Step,
  sunny,
  trialPlayer,
} from '@proofmark/harness/play-trial.ts';
import type { ModelLine } from '@proofmark/harness/stage-row.ts';
import { failedChecks } from '@proofmark/report';
import { afterAll, expect, test } from 'vitest';

const player = trialPlayer();
const { play } = player;
afterAll(() => player.close());

test('several calls of one answer are made in order, and their results stand in one message', async () => {
  const both = {
    calls: [
      { tool: 'clock', input: {} },
      { tool: 'weather', input: {} },
    ],
  };
  const { record, server } = await play({ steps: [ask] }, [both, sunny]);
  expect(called(server)).toEqual(['clock', 'weather']);
  expect(messagesOf(record)[2]?.content).toMatchObject([
    { type: 'tool-result', toolName: 'clock', toolCallId: 'call-1' },
    { type: 'tool-result', toolName: 'weather', toolCallId: 'call-2' },
  ]);
});

test('tools that two servers share have a name each for the model, and their own in the record', async () => {
  const one = await player.start();
  const two = await player.start();
  const servers = [
    { id: 'srv_1', name: 'First one', url: one.url },
    { id: 'srv_2', name: 'Second', url: two.url },
  ];
  const models = modelOfLines([{ calls: [{ tool: 'Second_weather', input: {} }] }, sunny]);
  const record = await firstTrial(
    dependenciesFor(runServersFor(player.mcp, servers), models),
    planFor(
      {
        steps: [
          ask,
          {
            ...expectWeather('call'),
            assertion: { type: 'toolCalledAtLeastOnce', toolName: 'weather' },
          },
        ],
      },
      servers,
    ),
  );
  expect(models.requests[0]?.tools.map(({ name }) => name)).toEqual([
    'First_one_weather',
    'First_one_clock',
    'Second_weather',
    'Second_clock',
  ]);
  expect(record).toMatchObject({ result: 'passed', actualToolCalls: [{ toolName: 'weather' }] });
  expect(called(one)).toEqual([]);
  expect(called(two)).toEqual(['weather']);
  expect(JSON.stringify(record.trace)).not.toContain('Second_weather');
  expect(JSON.stringify(models.requests[1]?.messages)).toContain('Second_weather');
});

test('tools that the client hides are not offered, and calling one is an unexpected call', async () => {
  const hidden = {
    name: 'secret',
    inputSchema: { type: 'object' },
    _meta: { ui: { visibility: ['app'] } },
  };
  const answers = {
    'tools/list': { tools: [{ name: 'weather', inputSchema: { type: 'object' } }, hidden] },
  };
  const lines = [{ calls: [{ tool: 'secret', input: {} }] }, sunny];
  const config = { client: { respectToolVisibility: true } };
  const { record, server, models } = await play(
    { steps: [ask], matchOptions: { extraToolCalls: 0 } },
    lines,
    { plan: config, answers },
  );
  expect(models.requests[0]?.tools.map(({ name }) => name)).toEqual(['weather']);
  expect(called(server)).toEqual([]);
  expect(record).toMatchObject({
    status: 'completed',
    result: 'failed',
    actualToolCalls: [{ toolName: 'secret' }],
  });
  expect(record.chain.stageResults[2]).toMatchObject({ reason: 'unexpectedToolCall' });
  expect(messagesOf(record)[2]?.content).toMatchObject([{ output: { type: 'error-text' } }]);
  expect(record.evidence).toMatchObject({ toolErrors: [], spans: [] });
});

test('skills are offered as tools of the host, and calling them spoils no expectation', async () => {
  const skills = [
    { skillId: 'skl_1', skillVersionId: 'skv_1', name: 'forecasts', contentHash: 'x' },
  ];
  const lines: ModelLine[] = [
    { calls: [{ tool: 'listSkills', input: {} }] },
    {
      calls: [
        { tool: 'loadSkill', input: { name: 'forecasts' } },
        { tool: 'loadSkill', input: { name: 'other' } },
      ],
    },
    sunny,
  ];
  const skillTexts = new Map([['skv_1', 'Look at the sky.']]);
  const { record, models } = await play({ steps: [ask], isNegative: true }, lines, {
    plan: { skills },
    dependencies: { skillTexts },
  });
  expect(models.requests[0]?.tools.slice(0, 2).map(({ name }) => name)).toEqual([
    'listSkills',
    'loadSkill',
  ]);
  expect(record.result).toBe('passed');
  expect(messagesOf(record)[2]?.content).toMatchObject([
    { output: { value: { skills: [{ name: 'forecasts' }] } } },
  ]);
  expect(messagesOf(record)[4]?.content).toMatchObject([
    { output: { value: { text: 'Look at the sky.' } } },
    { output: { type: 'error-text' } },
  ]);
  expect(record.evidence.toolErrors).toEqual([]);
});

test('a call that a policy refuses is not made, and its trial has no verdict', async () => {
  const rows = [
    { toolPolicy: { mode: 'default', deny: ['weather'] } },
    { toolPolicy: { mode: 'readOnly' } },
    { client: { requireToolApproval: true } },
  ] as const;
  for (const more of rows) {
    const { record, server } = await play({ steps: [ask] }, [callWeather, sunny], {
      plan: more as never,
    });
    expect(called(server)).toEqual([]);
    expect(record).toMatchObject({
      status: 'failed',
      result: null,
      evidence: { blockedByPolicy: true },
    });
    expect(record.error).toContain('"weather"');
    expect(record.chain).not.toHaveProperty('failureCategory');
  }
  const exempt = { mode: 'readOnly', allow: ['weather'] } as const;
  const { record } = await play({ steps: [ask] }, [callWeather, sunny], {
    plan: { toolPolicy: { ...exempt, allow: [...exempt.allow] } },
  });
  expect(record.result).toBe('passed');
});

test('a pinned call needs no model, is not matched, and is seen by assertions', async () => {
  const steps: Step[] = [
    pinned('set-up', { serverName: 'Weather' }),
    {
      id: 'seen',
      kind: 'assert',
      assertion: { type: 'toolCalledAtLeastOnce', toolName: 'weather' },
    },
  ];
  const { record, models, server } = await play({ steps, matchOptions: { extraToolCalls: 0 } }, []);
  expect(record).toMatchObject({
    status: 'completed',
    result: 'passed',
    usage: null,
    tokensUsed: null,
  });
  expect(models.requests).toEqual([]);
  expect(called(server)).toEqual(['weather']);
  expect(messagesOf(record)).toMatchObject([
    { role: 'assistant', pinned: true },
    { role: 'tool', pinned: true },
  ]);
});

test('a pinned call shows its id before its name, and an unknown server fails the set-up', async () => {
  const good = await play(
    { steps: [pinned('one', { serverName: 'Nobody', serverId: 'srv_1' })] },
    [],
  );
  expect(good.record.result).toBe('passed');
  const bad = await play(
    { steps: [pinned('one', { serverName: 'Weather', serverId: 'srv_9' }), ask] },
    [],
  );
  expect(bad.record).toMatchObject({ status: 'setup_failed', result: null });
  expect(bad.record.error).toContain('"srv_9"');
  expect(bad.record.trace['steps']).toMatchObject([{ status: 'skipped' }, { status: 'skipped' }]);
});

test('a pinned call that fails stops the trial, unless failing tools are no failure', async () => {
  const failing = { 'tools/call': { content: [{ type: 'text', text: 'No.' }], isError: true } };
  const steps: Step[] = [pinned('one', { serverName: 'Weather' }), ask];
  const bad = await play({ steps }, [sunny], { answers: failing });
  expect(bad.record).toMatchObject({
    status: 'completed',
    result: 'failed',
    error: 'The tool "weather" answered with an error: No.',
  });
  expect(bad.record.trace['steps']).toMatchObject([{ status: 'fail' }, { status: 'skipped' }]);
  expect(bad.record.chain.firstFailedStage).toBe('response');
  const good = await play({ steps, failOnToolError: false }, [sunny], { answers: failing });
  expect(good.record).toMatchObject({ result: 'passed', error: null });
});

test('a tool that fails beside an assertion that holds fails the trial by a rule that is named', async () => {
  const failing = { 'tools/call': { content: [{ type: 'text', text: 'No.' }], isError: true } };
  const list = [{ type: 'toolCalledAtLeastOnce' as const, toolName: 'weather' }];
  const checks = { mode: 'replace' as const, list };
  const played = { steps: [ask], checks };
  const { record } = await play(played, [callWeather, sunny], { answers: failing });
  expect(record.result).toBe('failed');
  expect(failedChecks(record)).toEqual(['No tool may fail: weather returned an error.']);
  const allowed = { ...played, failOnToolError: false };
  const passing = await play(allowed, [callWeather, sunny], { answers: failing });
  expect([passing.record.result, failedChecks(passing.record)]).toEqual(['passed', []]);
});

test('arguments that a pinned turn got wrong fail the call stage', async () => {
  const { record } = await play(
    { steps: [pinned('one', { serverName: 'Weather' }), expectWeather('call', 'Oslo')] },
    [],
  );
  expect(record.result).toBe('failed');
  expect(record.chain).toMatchObject({ firstFailedStage: 'call', failureCategory: 'arguments' });
});

test('a policy holds for pinned calls too', async () => {
  const steps: Step[] = [pinned('one', { serverName: 'Weather' }), ask];
  const toolPolicy = { mode: 'readOnly' } as const;
  const { record, server } = await play({ steps }, [sunny], { plan: { toolPolicy } });
  expect(called(server)).toEqual([]);
  expect(record).toMatchObject({ status: 'failed', evidence: { blockedByPolicy: true } });
  expect(record.trace['steps']).toMatchObject([{ status: 'fail' }, { status: 'skipped' }]);
});

test('the public reference server is called as any other', async () => {
  const everything = await startEverythingServer('streamableHttp');
  try {
    const servers = [{ id: 'srv_e', name: 'Everything', url: everything.url }];
    const models = modelOfLines([
      { calls: [{ tool: 'echo', input: { message: 'hello' } }] },
      sunny,
    ]);
    const record = await firstTrial(
      dependenciesFor(runServersFor(player.mcp, servers), models),
      planFor({ steps: [ask] }, servers),
    );
    expect(record).toMatchObject({ status: 'completed', result: 'passed' });
    expect(JSON.stringify(messagesOf(record)[2]?.content)).toContain('Echo: hello');
  } finally {
    await everything.stop();
  }
});

test('the bytes of an image reach the model and not the trace', async () => {
  const data = 'QUJD'.repeat(200_000);
  const image = { type: 'image', mimeType: 'image/png', data };
  const blob = { type: 'resource', resource: { uri: 'file:///a.zip', blob: data } };
  const content = [{ type: 'text', text: 'Look.' }, image, blob];
  const { record, models } = await player.play(
    { steps: [ask, pinned('pin', { serverName: 'Weather' })] },
    [callWeather, sunny],
    { answers: { 'tools/call': { content } } },
  );
  expect(record.result).toBe('passed');
  expect(JSON.stringify(models.requests[1]?.messages)).toContain(data);
  const trace = JSON.stringify(record.trace);
  expect(trace).not.toContain(data.slice(0, 2_000));
  expect(trace.match(/600 kB, not kept in the trace/g)).toHaveLength(4);
});
