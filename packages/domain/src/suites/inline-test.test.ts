import { describe, expect, test } from 'vitest';
import { checkValue } from '../kernel/check-value.ts';
import { caseFromInlineTest, InlineTests } from './inline-test.ts';

const plain = { title: 'Hours', steps: [{ id: 'ask', kind: 'prompt', prompt: 'Open?' }] };

function problemsOf(...tests: object[]) {
  const checked = checkValue(InlineTests, tests);
  return 'problems' in checked
    ? checked.problems.map(({ path, message }) => `${path.join('.')}: ${message}`)
    : [];
}

function definitionOf(more: object) {
  const checked = checkValue(InlineTests, [{ ...plain, ...more }]);
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
  return caseFromInlineTest(checked.value[0] as (typeof checked.value)[number], { model: 'a/b' });
}

describe('a key nobody knows is refused with the one that was meant', () => {
  test.each([
    [{ isNegativ: true }, '0.isNegativ: Unknown key isNegativ; did you mean isNegative?'],
    [{ check: {} }, '0.check: Unknown key check; did you mean checks?'],
    [{ matchOption: {} }, '0.matchOption: Unknown key matchOption; did you mean matchOptions?'],
    [
      { advancedConfig: { temprature: 1 } },
      '0.advancedConfig.temprature: Unknown key temprature; did you mean temperature?',
    ],
  ])('%j', (more, problem) => {
    expect(problemsOf({ ...plain, ...more })).toEqual([problem]);
  });
});

const list = [{ type: 'noToolErrors' }];

test.each<[object, object]>([
  [{ id: 'a' }, { declaredId: 'a' }],
  [{ declaredId: 'a' }, { declaredId: 'a' }],
  [{ runs: 3 }, { iterations: 3 }],
  [{ iterations: 3 }, { iterations: 3 }],
  [{ repetitions: 50 }, { iterations: 50 }],
  [{ runs: 3, iterations: 3, repetitions: 3 }, { iterations: 3 }],
  [{ isNegativeTest: true }, { isNegative: true }],
  [{ isNegative: true, isNegativeTest: true }, { isNegative: true }],
  [{ model: 'x/y' }, { models: [{ model: 'x/y' }] }],
  [{ provider: 'p' }, { models: [{ model: 'a/b', provider: 'p' }] }],
  [{ models: [{ model: 'm' }, { model: 'n' }] }, { models: [{ model: 'm' }, { model: 'n' }] }],
  [{ models: [{ model: 'm' }], model: 'm' }, { models: [{ model: 'm' }] }],
  [{ models: [{ model: 'm' }], provider: 'p' }, { models: [{ model: 'm', provider: 'p' }] }],
  [{ models: [] }, {}],
  [{ checks: { mode: 'extend', list } }, { checks: { mode: 'extend', list } }],
  [{ assertions: list }, { checks: { mode: 'replace', list } }],
  [{ assertions: list, checks: { mode: 'replace', list } }, { checks: { mode: 'replace', list } }],
  [{ matchOptions: { extraToolCalls: 0 } }, { matchOptions: { extraToolCalls: 0 } }],
  [{ passThreshold: 0.5 }, { passThreshold: 0.5 }],
  [{ failOnToolError: false }, { failOnToolError: false }],
  [{ disabled: true }, { disabled: true }],
  [
    { scenario: 's', expectedOutput: 'e' },
    { scenario: 's', expectedOutput: 'e' },
  ],
  [{ runs: null, isNegative: null, checks: null, models: null, disabled: null }, {}],
])('%j is taken', (more, definition) => {
  expect(definitionOf(more)).toEqual({ ...plain, ...definition });
});

test.each<[object, string]>([
  [{ id: 'a', declaredId: 'b' }, '0.declaredId: id and declaredId'],
  [{ runs: 3, iterations: 4 }, '0.iterations: runs and iterations'],
  [{ runs: 3, repetitions: 4 }, '0.repetitions: runs and repetitions'],
  [{ isNegative: true, isNegativeTest: false }, '0.isNegative: isNegativeTest and isNegative'],
  [{ model: 'x', models: [{ model: 'y' }] }, '0.model: model and models'],
  [{ model: 'x', models: [{ model: 'x' }, { model: 'y' }] }, '0.model: model and models'],
  [{ provider: 'p', models: [{ model: 'x', provider: 'q' }] }, '0.provider: provider and models'],
  [{ checks: { mode: 'extend', list }, assertions: list }, '0.assertions: checks and assertions'],
])('%j says two things and is refused', (more, problem) => {
  expect(problemsOf({ ...plain, ...more })).toEqual([
    `${problem} contradict each other; give one of them.`,
  ]);
});

test('two tests may not have one id, however it is spelled', () => {
  expect(problemsOf({ ...plain, id: 'a' }, { ...plain, declaredId: 'a' })).toEqual([
    '1.id: The id "a" is used by two tests.',
  ]);
});
