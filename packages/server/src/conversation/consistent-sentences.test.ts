/**
 * Tests that the sentences of the page and the terminal about a trial never contradict each other,
 * for every kind of assertion.
 */

import { assertionWords } from '@proofmark/domain';
import type { ModelLine } from '@proofmark/harness/stage-row.ts';
import {
  type Answer,
  type Definition,
  type TrialTexts,
  tell,
  tools,
} from '@proofmark/harness/trial-texts.ts';
import { passedWithFailedStage } from '@proofmark/report';
import { describe, expect, test } from 'vitest';
import type { TrialRecord } from './trial-record.ts';

type Step = Definition['steps'][number];

const ask: Step = { id: 'ask', kind: 'prompt', prompt: 'What is 1 + 2?' };
const again: Step = { id: 'again', kind: 'prompt', prompt: 'And once more?' };
const pin: Step = {
  id: 'pin',
  kind: 'toolCall',
  toolName: 'add',
  serverName: 'Sums',
  arguments: { a: 1 },
};

const addWith = (more: object = {}, args: object = {}) => ({
  type: 'toolCalledWith',
  toolName: 'add',
  args: { args: { a: 1 }, ...args },
  ...more,
});
const assertions: Readonly<Record<string, object>> = {
  'called with': addWith(),
  'called with exactly': addWith({}, { argumentMatching: 'exact' }),
  'called with anything': addWith({}, { argumentMatching: 'ignore' }),
  'called with, twice': addWith({ minCount: 2 }),
  'called with, advising': addWith({ role: 'advisory' }),
  called: { type: 'toolCalledAtLeastOnce', toolName: 'add' },
  'not called': { type: 'toolNeverCalled', toolName: 'add' },
  'called first': { type: 'firstToolWas', toolName: 'add' },
  'nothing else called': { type: 'onlyToolsCalled', toolNames: ['add'] },
  'answer contains': { type: 'responseContains', needle: 'three' },
  'no errors': { type: 'noToolErrors' },
  answered: { type: 'finalAssistantMessageNonEmpty' },
  'tokens under': { type: 'tokenBudgetUnder', maxTokens: 1 },
  'turns under': { type: 'turnCountUnder', maxTurns: 1 },
};

const textLine = (text: string): ModelLine => ({ text });
const calls = (...made: [string, object][]): ModelLine => ({
  calls: made.map(([tool, input]) => ({ tool, input })),
});
const models: Readonly<Record<string, readonly ModelLine[]>> = {
  'calls nothing': [textLine('three'), textLine('four')],
  'calls once, with more': [calls(['add', { a: 1, b: 2 }]), textLine('three'), textLine('four')],
  'calls with other arguments': [calls(['add', { a: 7 }]), textLine('six'), textLine('four')],
  'calls twice': [calls(['add', { a: 1 }], ['add', { a: 1 }]), textLine('three'), textLine('four')],
  'calls another first': [
    calls(['sub', {}], ['add', { a: 1 }]),
    textLine('three'),
    textLine('four'),
  ],
  'calls another only': [calls(['sub', {}]), textLine(''), textLine('four')],
  'asks for what is not offered': [calls(['gone', {}]), textLine('three'), textLine('four')],
  'calls in the second turn': [textLine('three'), calls(['add', { a: 1 }]), textLine('three')],
  'calls in the first turn, with others in the second': [
    ...[calls(['add', { a: 1 }]), textLine('three'), calls(['add', { a: 7 }]), textLine('eight')],
  ],
  'is cut off by its provider': ['fails'],
  'calls and is cut off': [calls(['sub', {}]), 'fails'],
};

function contradictions(texts: TrialTexts): string[] {
  const { record, page, of, checks, turns, marked, definition } = texts;
  const { result, chain } = record;
  const actual = record.actualToolCalls as unknown as { toolName: string; notMade?: string }[];
  const made = new Set(actual.flatMap((one) => (one.notMade ? [] : [one.toolName])));
  const failed = chain.stageResults.find(({ state }) => state === 'failed');
  const broken = checks.filter(({ outcome }) => outcome === 'did not hold');
  const ofCalls = broken.filter(({ name }) => callChecks.has(name));
  const isNegative = definition.isNegative === true;
  const isExact = JSON.stringify(definition).includes('exact');
  const held = checks.find(({ name }) => name === 'Calls match those expected');
  const laws: readonly (readonly [string, boolean])[] = [
    ['a failed trial has a check that did not hold', result !== 'failed' || broken.length > 0],
    ['a passed trial has none', result !== 'passed' || broken.length === 0],
    ['nothing says that no call is stated', !page.includes('no call is stated')],
    ['nothing says never made', !page.includes('never made')],
    [
      'what was called was not never called, and the other way round',
      [...tools, 'gone'].every((tool) =>
        made.has(tool)
          ? !page.includes(`"${tool}" was never called`)
          : !page.includes(`"${tool}" was called`),
      ),
    ],
    ['tools were called or not', made.size === 0 || !page.includes('No tool was called')],
    [
      'observed names every call',
      actual.every(({ toolName }) => result === 'passed' || of('Observed').includes(toolName)),
    ],
    [
      'a call that was not made is told so',
      result === 'passed' ||
        actual.every(({ notMade }) => !notMade || of('Observed').includes('not made')),
    ],
    [
      'each check that failed is told',
      broken.every(
        ({ name, explanation: why = name }) =>
          ['Calls match those expected', 'Every step succeeds'].includes(name) ||
          of('Check').includes(why.slice(0, 90)),
      ),
    ],
    [
      'nothing failed where it passed',
      result !== 'passed' ||
        (broken.length === 0 && marked.length === 0 && turns.every(({ tone }) => tone !== 'fail')),
    ],
    ['what failed says why', result !== 'failed' || failed !== undefined || /^"/.test(of('Why'))],
    [
      'what was not graded fails no check',
      result !== null || (broken.length === 0 && of('Check') === ''),
    ],
    ['what was not measured marks nothing', failed !== undefined || marked.length === 0],
    [
      'a turn is as expected only where nothing denies it',
      turns.every(
        ({ index, text }) =>
          text !== 'calls as expected' ||
          !(broken.some(({ turn }) => turn === index + 1) || isOfTurn(failed, index)),
      ),
    ],
    [
      'a turn fails only where a stage does',
      turns.every(({ tone }) => tone !== 'fail' || failed !== undefined),
    ],
    [
      'calls match only where no check of them failed',
      held?.outcome !== 'held' || ofCalls.length === 0,
    ],
    [
      'who misses a call says which',
      isNegative ||
        !broken.some(({ name }) => wantingChecks.has(name)) ||
        of('Expected').includes('add'),
    ],
    [
      'how often is told on both sides',
      isNegative ||
        !/Check: .*at least 2/.test(page) ||
        of('Expected').includes('at least 2 times'),
    ],
    [
      'a missing call or argument is marked',
      isNegative ||
        !(failed?.reason === 'missingToolCall' || failed?.reason === 'argumentMismatch') ||
        marked.length > 0,
    ],
    ['an argument that nobody minds is not', isExact || !marked.includes('b')],
    [
      'what is expected and missing is not what was observed',
      isNegative ||
        !(failed?.reason === 'missingToolCall' || failed?.reason === 'argumentMismatch') ||
        of('Expected') !== of('Observed'),
    ],
    [
      'match options are spoken of where they are stated',
      definition.matchOptions !== undefined || !page.includes('match options'),
    ],
    [
      'what is expected of a negative case is silence',
      !isNegative || !of('Expected').includes('add'),
    ],
  ];
  return laws.flatMap(([law, holds]) => (holds ? [] : [law]));
}

const callKinds = [
  ...(['toolCalledWith', 'toolCalledAtLeastOnce', 'toolNeverCalled', 'firstToolWas'] as const),
  'onlyToolsCalled' as const,
];
const callChecks = new Set(callKinds.map((kind) => assertionWords[kind]));
const wantingChecks = new Set(
  (['toolCalledWith', 'toolCalledAtLeastOnce', 'firstToolWas'] as const).map(
    (kind) => assertionWords[kind],
  ),
);

function isOfTurn(
  failed: TrialRecord['chain']['stageResults'][number] | undefined,
  index: number,
): boolean {
  if (failed === undefined || !['selection', 'call', 'response'].includes(failed.stage))
    return false;
  const indexes = failed.evidence?.promptIndexes ?? [];
  return indexes.length === 0 || indexes.includes(index);
}

const levels: Readonly<Record<string, (assertion: object) => Definition>> = {
  'of a step': (assertion) => ({ steps: [ask, check(assertion)] }),
  'of the second turn': (assertion) => ({ steps: [ask, again, check(assertion)] }),
  'of the case': (assertion) => ({ steps: [ask], checks: listOf(assertion) }),
  'of the case, no other call allowed': (assertion) => ({
    steps: [ask],
    checks: listOf(assertion),
    matchOptions: { extraToolCalls: 0 },
  }),
  'of a step, all in their order and exact': (assertion) => ({
    steps: [ask, check(assertion)],
    matchOptions: { toolCallOrder: 'exact', arguments: 'exact' },
  }),
  'of a negative case': (assertion) => ({
    steps: [ask],
    checks: listOf(assertion),
    isNegative: true,
  }),
};

function check(assertion: object): Step {
  return { id: 'check', kind: 'assert', assertion } as Step;
}

function listOf(assertion: object): Definition['checks'] {
  return { mode: 'replace', list: [assertion] } as Definition['checks'];
}

describe.each(Object.entries(levels))('a check %s', (_level, define) => {
  test.each(Object.entries(assertions))('that a trial has: %s', async (_name, assertion) => {
    for (const [model, lines] of Object.entries(models)) {
      const texts = await tell(define(assertion), lines);
      expect(contradictions(texts), `${model}\n${texts.page}`).toEqual([]);
    }
  });
});

test.each([
  ['which the case allows', false, 'passed', /error, which this case allows/, /^$/],
  ['which it does not', true, 'failed', /^undefined$/, /look in the server/],
])('an error of a tool, %s', async (_, failOnToolError, result, despite, next) => {
  const texts = await tell({ steps: [pin], failOnToolError }, [], 'error');
  const { stageResults } = texts.record.chain;
  expect(texts.record.result).toBe(result);
  expect(stageResults.find(({ state }) => state === 'failed')?.stage).toBe('response');
  const words =
    texts.record.result === 'passed' ? passedWithFailedStage(stageResults, false) : undefined;
  expect(String(words)).toMatch(despite);
  expect(texts.of('Next')).toMatch(next);
});

test.each<[string, Answer, Step, RegExp, RegExp]>([
  [
    'a call that hung',
    'nothing in time',
    pin,
    /did not answer within 30 s; raise `timeout` of the server to allow more time\./,
    /raise the `timeout` of the server\.$/,
  ],
  [
    'a call of a tool that is not listed',
    'error',
    { ...pin, toolName: 'gone' } as Step,
    /does not list the tool "gone": correct the case, or the server if the tool was renamed\./,
    /^Correct the name of the tool in the case/,
  ],
])('%s is told with what mends it', async (_name, answer, step, observed, next) => {
  const texts = await tell({ steps: [step] }, [], answer);
  expect(texts.of('Why') + texts.of('Observed')).toMatch(observed);
  expect(texts.of('Advice')).toMatch(next);
});

test.each<[string, object, string, string, string]>([
  [
    'calls once, with more',
    addWith(),
    'add(a: 1) in turn 2',
    'add(a: 1, b: 2) in turn 1',
    '"add" was not called in turn 2.',
  ],
  [
    'calls twice',
    addWith({ minCount: 2 }),
    'add(a: 1) in turn 2 (at least 2 times by then)',
    'add(a: 1) in turn 1, add(a: 1) in turn 1',
    '"add" was not called in turn 2.',
  ],
  [
    'calls in the first turn, with others in the second',
    addWith(),
    'add(a: 1) in turn 2',
    'add(a: 1) in turn 1, add(a: 7) in turn 2',
    '"add" was called in turn 2 with other arguments.',
  ],
])('a model that %s, where the second turn expects it', async (model, assertion, ...words) => {
  const texts = await tell({ steps: [ask, again, check(assertion)] }, models[model] ?? []);
  expect([texts.of('Expected'), texts.of('Observed').split(';')[0], texts.of('Check')]).toEqual(
    words,
  );
});

test.each<Answer>(['well', 'error', 'nothing listed'])(
  'a case that makes its calls itself, and a server that answers %s',
  async (answer) => {
    for (const assertion of Object.values(assertions)) {
      for (const steps of [[pin], [pin, check(assertion)], [pin, ask, check(assertion)]]) {
        for (const lines of [models['calls once, with more'], models['calls nothing']]) {
          const texts = await tell({ steps }, lines ?? [], answer);
          expect(contradictions(texts), texts.page).toEqual([]);
          expect(texts.turns.filter(({ index }) => index === 0 && steps[1] === undefined)).toEqual(
            [],
          );
        }
      }
      const texts = await tell(
        { steps: [ask], checks: listOf(assertion) },
        models['calls twice'] ?? [],
        answer,
      );
      expect(contradictions(texts), texts.page).toEqual([]);
    }
  },
);
