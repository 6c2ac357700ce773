import { describe, expect, test } from 'vitest';
import { assertsNothing, countAssertsNothing } from './asserts-nothing.ts';
import { warnOfCases } from './case-warnings.ts';
import type { EvalCaseDefinition } from './eval-case.ts';
import type { ListedServers } from './listed-tools.ts';
import type { PlannedCase } from './planned-case.ts';
import type { Step } from './step.ts';
import type { SuiteSettings } from './suite-definition.ts';

const ask = { id: 'ask', kind: 'prompt', prompt: 'Open?' } as const;
const pinnedOf = (toolName: string): Step => ({
  id: 'call',
  kind: 'toolCall',
  serverName: 'Shop',
  toolName,
  arguments: {},
});
const pinned = pinnedOf('stock');
const wait = { kind: 'wait', ms: 1 } as const;
const interact: Step = { id: 'press', kind: 'interact', toolName: 'stock', action: wait };
const never = (toolName: string, more: object = {}) =>
  ({ type: 'toolNeverCalled', toolName, ...more }) as const;
const step = (assertion: object) => ({ id: 'is', kind: 'assert', assertion }) as never;
const checks = (...list: object[]) => ({ mode: 'replace', list }) as never;
const listed: ListedServers = [
  { name: 'Shop', tools: new Set(['stock', 'book']) },
  { name: 'Wiki', tools: new Set(['search']) },
];
const halfKnown: ListedServers = [...listed, { name: 'New', tools: undefined }];
const empty: ListedServers = [{ name: 'Shop', tools: new Set() }];
const judged: SuiteSettings = { judge: { enabled: true, autoRun: true, model: 'm' } };

function codesOf(
  definition: Partial<EvalCaseDefinition>,
  servers: ListedServers,
  settings: SuiteSettings = {},
  noWidgets: string | null = 'There is no browser.',
) {
  const one = { title: 'Hours', steps: [ask], ...definition };
  return warnOfCases([{ path: 'body', definition: one }], settings, servers, { noWidgets }).map(
    ({ code, path }) => `${code} ${path}`,
  );
}

const nothing = 'CASE_ASSERTS_NOTHING body';

describe('a case that asserts nothing is told', () => {
  test.each<[string, Partial<EvalCaseDefinition>, SuiteSettings, string[]]>([
    ['only a prompt', {}, {}, [nothing]],
    [
      'an advisory assertion',
      { checks: checks({ type: 'noToolErrors', role: 'advisory' }) },
      {},
      [nothing],
    ],
    ['an expected output without a judge', { expectedOutput: 'At nine.' }, {}, [nothing]],
    [
      'a judge that is asked only by hand',
      { expectedOutput: 'At nine.' },
      { judge: { enabled: true, model: 'm' } },
      [nothing],
    ],
    ['an expected output and a judge', { expectedOutput: 'At nine.' }, judged, []],
    ['a judge and no expected output', { expectedOutput: ' ' }, judged, [nothing]],
    ['an assertion of the case', { checks: checks({ type: 'noToolErrors' }) }, {}, []],
    ['an assertion of a step', { steps: [ask, step({ type: 'noToolErrors' })] }, {}, []],
    ['an assertion of the suite', {}, { checks: [{ type: 'noToolErrors' }] }, []],
    [
      'that of the suite, replaced by none',
      { checks: checks() },
      { checks: [{ type: 'noToolErrors' }] },
      [nothing],
    ],
    ['a call of its own', { steps: [pinned] }, {}, []],
    ['a call of its own that may fail', { steps: [pinned], failOnToolError: false }, {}, [nothing]],
    ['a bound on extra calls', { matchOptions: { extraToolCalls: 0 } }, {}, []],
    ['a negative test', { isNegative: true }, {}, []],
    ['a tool that is listed is never called', { checks: checks(never('stock')) }, {}, []],
    ['nothing, and disabled', { disabled: true }, {}, []],
  ])('%s', (_title, definition, settings, codes) => {
    expect(codesOf(definition, listed, settings)).toEqual(codes);
  });
});

describe('a tool that no server lists', () => {
  const at = 'TOOL_NOT_LISTED body.checks.list[0]';
  test.each<[string, object, ListedServers, string[]]>([
    ['is never called: that cannot fail', never('gone'), listed, [nothing, at]],
    ['is called', { type: 'toolCalledAtLeastOnce', toolName: 'gone' }, listed, [at]],
    ['is the first', { type: 'firstToolWas', toolName: 'gone' }, listed, [at]],
    [
      'is among the only ones',
      { type: 'onlyToolsCalled', toolNames: ['stock', 'gone'] },
      listed,
      [at],
    ],
    [
      'of the named server',
      { type: 'firstToolWas', toolName: 'search', serverName: 'Shop' },
      listed,
      [at],
    ],
    [
      'of a server that is not there',
      never('stock', { serverName: 'Gone' }),
      listed,
      [nothing, at],
    ],
    [
      'of the right server',
      { type: 'firstToolWas', toolName: 'search', serverName: 'Wiki' },
      listed,
      [],
    ],
    ['while one list is not known', never('gone'), halfKnown, []],
    ['while no list is known', never('gone'), undefined, []],
    ['is a tool of the host', never('loadSkill'), listed, []],
  ])('%s', (_title, assertion, servers, codes) => {
    expect(codesOf({ checks: checks(assertion) }, servers)).toEqual(codes);
  });

  test('is told with the tool that was probably meant', () => {
    const definition = {
      title: 'a',
      steps: [ask, step({ type: 'firstToolWas', toolName: 'stok' })],
    };
    const [warning] = warnOfCases([{ path: 'case', definition }], {}, listed, { noWidgets: null });
    expect(warning?.message).toBe('No server lists a tool "stok"; did you mean "stock"?');
  });

  test('is told where it is named, once for all cases where the suite names it', () => {
    expect(
      codesOf({ steps: [ask, step({ type: 'firstToolWas', toolName: 'gone' })] }, listed),
    ).toEqual(['TOOL_NOT_LISTED body.steps[1].assertion']);
    const cases = ['a', 'b'].map((title, index) => ({
      path: `cases[${index}]`,
      definition: {
        title,
        steps: [ask],
        checks: { mode: 'extend' as const, list: [never('lost')] },
      },
    }));
    const settings: SuiteSettings = { checks: [{ type: 'firstToolWas', toolName: 'gone' }] };
    expect(warnOfCases(cases, settings, listed, { noWidgets: null })).toEqual([
      {
        path: 'settings.checks[0]',
        code: 'TOOL_NOT_LISTED',
        message: 'No server lists a tool "gone".',
      },
      {
        path: 'cases[0].checks.list[0]',
        code: 'TOOL_NOT_LISTED',
        message: 'No server lists a tool "lost".',
      },
      {
        path: 'cases[1].checks.list[0]',
        code: 'TOOL_NOT_LISTED',
        message: 'No server lists a tool "lost".',
      },
    ]);
  });
});

describe('where the model could not call a tool', () => {
  const bound = { matchOptions: { extraToolCalls: 0 } };
  const never1 = { checks: checks(never('stock')) };
  const silent = { advancedConfig: { toolChoice: 'none' } } as const;
  const unlisted = 'TOOL_NOT_LISTED body.checks.list[0]';
  test.each<[string, Partial<EvalCaseDefinition>, ListedServers, string[]]>([
    ['a bound on its calls asserts nothing', { ...bound, ...silent }, listed, [nothing]],
    ['nor where no server lists a tool', bound, empty, [nothing]],
    ['that a tool is never called neither', { ...never1, ...silent }, listed, [nothing]],
    ['nor where no server lists it', never1, empty, [nothing, unlisted]],
    ['nor where no model is asked', { ...never1, steps: [pinnedOf('book')] }, listed, [nothing]],
    ['but the case itself may call it', { ...never1, steps: [pinnedOf('stock')] }, listed, []],
    ['and nobody knows what is listed', { ...bound, ...never1 }, undefined, []],
  ])('%s', (_title, definition, servers, codes) => {
    expect(codesOf({ failOnToolError: false, ...definition }, servers)).toEqual(codes);
  });

  test.each<[Partial<EvalCaseDefinition>, ListedServers, string]>([
    [{ ...bound, ...silent }, listed, 'its toolChoice is none, so a bound on calls cannot fail'],
    [bound, empty, 'no server lists a tool, so a bound on calls cannot fail'],
    [
      { ...never1, ...silent },
      listed,
      'its toolChoice is none, so a check that a tool is never called',
    ],
    [{ checks: checks(never('gone')) }, listed, 'an unlisted tool is never called cannot fail'],
  ])('%j is told why', (definition, servers, expected) => {
    const one = { title: 'Hours', steps: [ask], ...definition };
    const [warning] = warnOfCases([{ path: 'body', definition: one }], {}, servers, {
      noWidgets: null,
    });
    expect(warning?.message).toContain(expected);
  });
});

describe('a negative test that could not call a tool', () => {
  const cannot = 'NEGATIVE_WITHOUT_TOOLS body';
  test.each<[string, Partial<EvalCaseDefinition>, ListedServers, string[]]>([
    ['no server lists one', {}, empty, [cannot]],
    ['no model is asked', { steps: [pinned] }, listed, [cannot]],
    ['the model may call none', { advancedConfig: { toolChoice: 'none' } }, listed, [cannot]],
    ['some are listed', {}, listed, []],
    ['nobody knows', {}, undefined, []],
  ])('%s', (_title, definition, servers, codes) => {
    expect(codesOf({ isNegative: true, ...definition }, servers)).toEqual(codes);
  });
});

test.each<[string, string, Partial<EvalCaseDefinition>]>([
  ['an action in a widget', 'body.steps[1]', { steps: [ask, interact] }],
  ['an assertion on a widget', 'body', { checks: checks({ type: 'widgetRendered' }) }],
  [
    'what a widget shows',
    'body.steps[1]',
    { steps: [ask, step({ kind: 'textVisible', toolName: 'stock', text: 'x' })] },
  ],
])('%s is not tested where nobody shows widgets', (_title, path, definition) => {
  expect(codesOf(definition, listed)).toEqual([`WIDGETS_NOT_TESTED_HERE ${path}`]);
  expect(codesOf(definition, listed, {}, null)).toEqual([]);
});

test('a call that the case makes of a tool its server does not list is warned of', () => {
  const call = { id: 'c', kind: 'toolCall' as const, serverName: listed?.[0]?.name ?? '' };
  const steps = [{ ...call, toolName: 'stok', arguments: {} }];
  expect(codesOf({ steps }, listed)).toEqual(['TOOL_NOT_LISTED body.steps[0].toolName']);
});

test('warnings are bounded', () => {
  const cases = Array.from({ length: 500 }, (_, index) => ({
    path: `cases[${index}]`,
    definition: { title: 'Hours', steps: [ask] },
  }));
  expect(warnOfCases(cases, {}, undefined, { noWidgets: null })).toHaveLength(100);
});

test('case variants that assert nothing are counted, and the first five are named', () => {
  const planned = (title: string, more: Partial<PlannedCase> = {}): PlannedCase => ({
    caseId: title,
    caseKey: title,
    title,
    steps: [ask],
    isNegative: false,
    assertions: [],
    matchOptions: { toolCallOrder: 'ignore', maxExtraToolCalls: null, argumentMatching: 'partial' },
    failOnToolError: true,
    passThreshold: 1,
    variants: [{ model: 'm', repetitions: 3 }],
    ...more,
  });
  const two = { variants: ['m', 'n'].map((model) => ({ model, repetitions: 1 })) };
  const cases = [
    planned('sure', { assertions: [{ type: 'noToolErrors' }] }),
    ...['a', 'b', 'c', 'd', 'e', 'f'].map((title) => planned(title, two)),
  ];
  const context = { isJudged: false, servers: undefined };
  expect(countAssertsNothing(cases, context)).toEqual({
    caseVariants: 12,
    titles: ['a', 'b', 'c', 'd', 'e'],
  });
  expect(countAssertsNothing([], context)).toEqual({ caseVariants: 0, titles: [] });
  expect(
    assertsNothing(planned('x', { expectedOutput: 'y' }), { ...context, isJudged: true }),
  ).toBe(false);
});
