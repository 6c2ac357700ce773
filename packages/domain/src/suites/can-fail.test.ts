import { describe, expect, test } from 'vitest';
import { type AssertionType, assertionKinds } from '../assertions/assertion.ts';
import { canFail } from './can-fail.ts';
import type { ListedServers } from './listed-tools.ts';
import type { Step } from './step.ts';

const ask: Step = { id: 'ask', kind: 'prompt', prompt: 'Hello' };
const pin = (id: string, toolName = 'find'): Step => ({
  id,
  kind: 'toolCall',
  serverName: 'S',
  toolName,
  arguments: {},
});
const render: Step = { id: 'r', kind: 'getPrompt', serverName: 'S', promptName: 'p' };
const servers: ListedServers = [{ name: 'S', tools: new Set(['find', 'drop']) }];
const can = (assertion: object, steps: readonly Step[], more: object = {}) =>
  canFail(assertion as never, { steps: [...steps], ...more } as never, servers);

describe('what forbids calls or bounds them cannot fail where none can come about', () => {
  test.each<[string, object]>([
    ['toolNeverCalled', { toolName: 'drop' }],
    ['toolLatencyUnder', { ms: 5 }],
    ['toolLatencyUnder', { ms: 5, toolName: 'drop' }],
    ['toolResultSizeUnder', { maxBytes: 5, toolName: 'drop' }],
    ['maximumResultTokens', { tokens: 5, toolName: 'drop' }],
    ['toolCallCountUnder', { count: 1, toolName: 'drop' }],
    ['noRepeatedIdenticalCall', { toolName: 'drop' }],
    ['noDestructiveToolCalled', {}],
    ['onlyToolsCalled', { toolNames: ['find'] }],
    ['toolCalledBefore', { toolName: 'find', beforeToolName: 'drop' }],
    ['noToolErrors', {}],
  ])('%s %j', (type, fields) => {
    const row = { type, ...fields };
    expect(can(row, [ask])).toBe(true);
    expect(can(row, [ask], { toolChoice: 'none' })).toBe(false);
    expect(can(row, [])).toBe(false);
    expect(can(row, [pin('a', 'drop'), pin('b', 'drop')])).toBe(true);
  });

  test('of a tool that no server lists', () => {
    expect(can({ type: 'toolLatencyUnder', ms: 5, toolName: 'gone' }, [ask])).toBe(false);
    expect(can({ type: 'toolCallCountUnder', count: 1, toolName: 'gone' }, [ask])).toBe(false);
    expect(can({ type: 'onlyToolsCalled', toolNames: ['find', 'drop'] }, [ask])).toBe(true);
  });

  test('and of calls of the case itself, where there are enough', () => {
    const under = { type: 'toolCallCountUnder', count: 2 };
    expect(can(under, [pin('a')])).toBe(false);
    expect(can(under, [pin('a'), pin('b')])).toBe(true);
    expect(can({ type: 'noRepeatedIdenticalCall' }, [pin('a')])).toBe(false);
    expect(can({ type: 'onlyToolsCalled', toolNames: ['find'] }, [pin('a')])).toBe(false);
    expect(can({ type: 'noToolErrors' }, [render], { toolChoice: 'none' })).toBe(true);
  });
});

test('a bound on turns cannot fail above the number of prompts', () => {
  expect(can({ type: 'turnCountUnder', turns: 2 }, [ask])).toBe(false);
  expect(can({ type: 'turnCountUnder', turns: 1 }, [ask])).toBe(true);
  expect(can({ type: 'turnCountUnder', turns: 9 }, [render])).toBe(true);
});

test('a threshold of 0 is reached by every score', () => {
  const goal = (threshold?: number, own?: number) => ({
    type: 'goalCompleted',
    outcome: 'Done.',
    threshold,
    criteria: own === undefined ? undefined : [{ name: 'a', description: 'b', threshold: own }],
  });
  expect(can(goal(0), [ask])).toBe(false);
  expect(can(goal(0, 0), [ask])).toBe(false);
  expect(can(goal(0, 0.5), [ask])).toBe(true);
  expect(can(goal(), [ask])).toBe(true);
  expect(can({ type: 'scorer', threshold: 0 }, [ask])).toBe(false);
  expect(can({ type: 'scorer', threshold: 0.1 }, [ask])).toBe(true);
});

/**
 * Assertions that require something. They fail if it is missing, so they can fail in every case.
 */
const always: readonly AssertionType[] = [
  ...['toolCalledWith', 'toolCalledAtLeastOnce', 'firstToolWas', 'responseContains'],
  ...['responseMatches', 'finalAssistantMessageNonEmpty', 'tokenBudgetUnder', 'widgetRendered'],
  ...['widgetRenderLatencyUnder', 'widgetNoConsoleErrors', 'argumentsMatchToolSchema'],
  ...['toolInputMatches', 'toolResultContains', 'toolResultMatches', 'toolResultMatchesSchema'],
  ...['toolResultPath', 'toolCallFails', 'responseCloseTo', 'toolDescriptionsPresent'],
  ...['toolAnnotationsPresent', 'toolNamesUnique', 'toolInputSchemasWellFormed'],
  ...['toolOutputSchemasPresent', 'maximumSurfaceTokens', 'toolDoesNotCrash'],
] as AssertionType[];
const bounded: readonly AssertionType[] = [
  ...['toolNeverCalled', 'toolLatencyUnder', 'toolResultSizeUnder', 'noDestructiveToolCalled'],
  'maximumResultTokens',
  ...['noToolErrors', 'toolCalledBefore', 'onlyToolsCalled', 'toolCallCountUnder'],
  ...['noRepeatedIdenticalCall', 'turnCountUnder', 'scorer', 'goalCompleted'],
] as AssertionType[];

test('every kind that can gate is one or the other', () => {
  for (const type of always) expect(can({ type }, [])).toBe(true);
  const observing = Object.keys(assertionKinds).filter(
    (type) => ![...always, ...bounded].includes(type as AssertionType),
  );
  expect(observing.sort()).toEqual([
    ...['fullPageHasContinuation', 'noDeprecatedToolCalled', 'noDeprecatedToolExposed'],
    ...['noEndingQuestion', 'toolErrorNamesInput'],
  ]);
});
