import { expect, test } from 'vitest';
import { analyzeTrial, errorTextOf, type TrialToAnalyze } from './analyzed-trial.ts';

const recorded: TrialToAnalyze = {
  ordinal: 3,
  id: 'itr_3',
  caseId: 'cas_1',
  declaredCaseId: null,
  title: 'Weather',
  model: 'large',
  provider: 'acme',
  status: 'completed',
  result: 'failed',
  evaluatorError: false,
  tokensUsed: 7,
  error: null,
  toolSurfaceHash: 'h',
  expectedToolCalls: [],
  actualToolCalls: [],
  chain: undefined,
  messages: [],
  spans: [],
};
const span = (more: object) => ({
  id: 's',
  category: 'tool',
  toolName: 'search',
  serverId: 'srv',
  status: 'ok',
  startMs: 10,
  endMs: 15,
  ...more,
});
const toolsOf = (more: Partial<TrialToAnalyze>) => analyzeTrial({ ...recorded, ...more }).tools;

test('a variant is the case on its model, by ids', () => {
  expect(analyzeTrial(recorded)).toMatchObject({
    variantId: 'cas_1.acme/large',
    variantLabel: 'Weather (acme/large)',
    verdict: 'failed',
  });
  const hosted = { ...recorded, declaredCaseId: 'weather', model: 'acme/large' };
  expect(analyzeTrial(hosted).variantId).toBe('weather.acme/large');
  expect(analyzeTrial({ ...recorded, model: null }).variantId).toBe('cas_1');
});

test.each<[Partial<TrialToAnalyze>, boolean]>([
  [{ status: 'timed_out', result: null }, false],
  [{ status: 'failed', result: null }, false],
  [{ status: 'setup_failed', result: null }, false],
  [{ status: 'cancelled', result: null }, false],
  [{ evaluatorError: true }, true],
])('%j has no verdict', (more, wasPlayed) => {
  const analyzed = analyzeTrial({ ...recorded, ...more });
  expect(analyzed.verdict).toBeUndefined();
  expect(analyzed.wasPlayed).toBe(wasPlayed);
});

test('calls are counted by tool and server, with how long they took', () => {
  const spans = [span({}), span({ status: 'error', endMs: 20 }), span({ serverId: 'other' })];
  expect(toolsOf({ spans })).toEqual([
    { toolName: 'search', serverId: 'srv', errors: 1, durationsMs: [5, 10] },
    { toolName: 'search', serverId: 'other', errors: 0, durationsMs: [5] },
  ]);
});

test.each([
  ['that refused arguments which break its schema', { argumentProblem: 'city is missing' }],
  ['that we lost the connection to', { mcpErrorOrigin: 'ours' }],
])('a server %s has not failed', (_, more) => {
  expect(toolsOf({ spans: [span({ status: 'error', ...more })] })).toMatchObject([{ errors: 0 }]);
});

test('what we answered ourselves is no tool of anybody, beside a server or alone', () => {
  const own = { category: 'tool', toolName: 'read_skill', status: 'error', startMs: 1, endMs: 2 };
  expect(toolsOf({ spans: [own] })).toEqual([]);
  expect(toolsOf({ spans: [own], toolSurfaceHash: null })).toHaveLength(1);
  expect(toolsOf({ spans: [own, span({})] }).map(({ toolName }) => toolName)).toEqual(['search']);
});

const failedResult = {
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      toolCallId: '1',
      toolName: 'search',
      output: {
        type: 'json',
        value: { isError: true, content: [{ type: 'text', text: 'No such city.' }] },
      },
    },
  ],
};

test('without spans, tools are those that were told, with the errors among the messages', () => {
  const actualToolCalls = [{ toolName: 'search' }, { toolName: 'gone', notMade: 'notOffered' }];
  const reported = { actualToolCalls, messages: [failedResult] };
  expect(toolsOf(reported)).toEqual([{ toolName: 'search', errors: 1, durationsMs: [] }]);
  expect(analyzeTrial({ ...recorded, ...reported }).notOffered).toEqual(['gone']);
  expect(errorTextOf([failedResult], 'search')).toBe('No such city.');
  expect(errorTextOf([failedResult], 'other')).toBeUndefined();
});

test('a wrong call is about the tool that was called wrongly, not the first that was expected', () => {
  const rows = ['connection', 'discovery', 'selection', 'call', 'response', 'userValue'].map(
    (stage, index) => ({
      stage,
      state: index < 3 ? 'passed' : index === 3 ? 'failed' : 'notReached',
      ...(index === 3 && { reason: 'argumentMismatch', evidence: { spanIds: ['s2'] } }),
    }),
  );
  const chain = {
    stageResults: rows,
    firstFailedStage: 'call',
    failureCategory: 'arguments',
    stageAnalyzerVersion: 2,
  };
  const calls = [{ toolName: 'search' }, { toolName: 'book' }];
  const spans = calls.map(({ toolName }, at) => ({ id: `s${at + 1}`, category: 'tool', toolName }));
  const reported = { chain, spans, expectedToolCalls: calls, actualToolCalls: calls };
  expect(analyzeTrial({ ...recorded, ...reported })).toMatchObject({
    firstFailedStage: 'call',
    failedTool: 'book',
  });
});

test('an error is told in the words of the call that failed, not of one that was rightly refused', () => {
  const span = { category: 'tool', toolName: 'search', serverId: 'srv', status: 'error' };
  const spans = [
    { ...span, id: 's0', toolCallId: '0', argumentProblem: 'no city' },
    { ...span, id: 's1', toolCallId: '1' },
  ];
  const [use] = toolsOf({ spans });
  expect(use).toMatchObject({ errors: 1, errorCallId: '1' });
  const refused = structuredClone(failedResult);
  Object.assign(refused.content[0] ?? {}, { toolCallId: '0', output: 'Error: no city' });
  expect(errorTextOf([refused, failedResult], 'search', use?.errorCallId)).toBe('No such city.');
});

test('a wrong selection is about the tool that was expected and not called', () => {
  const rows = ['connection', 'discovery', 'selection', 'call', 'response', 'userValue'].map(
    (stage, index) => ({
      stage,
      state: index < 2 ? 'passed' : index === 2 ? 'failed' : 'notReached',
      ...(index === 2 && {
        reason: 'missingToolCall',
        evidence: { predicateReasons: ['get_weather was not called.'] },
      }),
    }),
  );
  const chain = {
    stageResults: rows,
    firstFailedStage: 'selection',
    failureCategory: 'selection',
    stageAnalyzerVersion: 2,
  };
  const expectedToolCalls = [{ toolName: 'search' }, { toolName: 'get_weather' }];
  const reported = { chain, expectedToolCalls, actualToolCalls: [{ toolName: 'search' }] };
  expect(analyzeTrial({ ...recorded, ...reported })).toMatchObject({
    firstFailedStage: 'selection',
    failureCategory: 'selection',
    failedTool: 'get_weather',
    failure: 'get_weather was not called.',
  });
  const broken = { ...reported, chain: { ...chain, firstFailedStage: 'call' } };
  expect(analyzeTrial({ ...recorded, ...broken }).firstFailedStage).toBeUndefined();
});
