import { expect, test } from 'vitest';
import { checkValue } from '../kernel/check-value.ts';
import { EvalCaseDefinition } from '../suites/eval-case.ts';
import { InlineTest } from '../suites/inline-test.ts';
import { Step } from '../suites/step.ts';
import { Assertion } from './assertion.ts';
import { toolCalledWith } from './tool-called-with.ts';

const tool = { type: 'toolCalledWith', toolName: 'opening_hours' };
const steps = [{ id: 'ask', kind: 'prompt', prompt: 'When?' }];
const data = { key: 'day', rows: [{ day: 'Monday', times: 2 }] };

test.each<[object, object]>([
  [{ day: 'Monday' }, { args: { day: 'Monday' } }],
  [{ day: { args: {} } }, { args: { day: { args: {} } } }],
  [{}, { args: {} }],
  [{ args: { day: 'Monday' } }, { args: { day: 'Monday' } }],
  [{ args: { args: 'deep' } }, { args: { args: 'deep' } }],
  [
    { args: {}, argumentMatching: 'exact' },
    { args: {}, argumentMatching: 'exact' },
  ],
])('args %j is read as %j', (given, read) => {
  expect(Assertion.parse({ ...tool, args: given })).toEqual({ ...tool, args: read });
});

test.each<[unknown, string, string]>([
  [undefined, 'args', 'args is missing; write args: { … }.'],
  ['Monday', 'args', 'This must be an object with keys.'],
  [
    { argumentMatching: 'exact' },
    'args.args',
    'args.args is missing; write args: { args: { … } }.',
  ],
  [{ args: ['-v'] }, 'args.args', 'This must be an object with keys, not a list.'],
  [
    { args: {}, day: 'Monday' },
    'args.day',
    'Arguments beside args or argumentMatching belong one level deeper: write args: { args: { day: … } }.',
  ],
])('args %j is refused, for nobody knows what it means', (given, path, message) => {
  const checked = checkValue(Assertion, { ...tool, args: given });
  const [problem] = 'problems' in checked ? checked.problems : [];
  expect([problem?.path.join('.'), problem?.message]).toEqual([path, message]);
});

test('wherever a case states it, plain arguments are stored as those of args.args', () => {
  const plain = { ...tool, args: { day: 'Monday' } };
  const stored = { ...tool, args: { args: { day: 'Monday' } } };
  expect(Step.parse({ id: 'called', kind: 'assert', assertion: plain })).toMatchObject({
    assertion: stored,
  });
  const list = [plain];
  expect(
    EvalCaseDefinition.parse({ title: 'One', steps, checks: { mode: 'replace', list } }),
  ).toMatchObject({ checks: { list: [stored] } });
  expect(InlineTest.parse({ title: 'One', steps, assertions: list })).toMatchObject({
    assertions: [stored],
  });
});

test('so are those of a template, which is filled in later', () => {
  const plain = { ...tool, args: { day: '{{day}}' }, minCount: '{{times}}' };
  const list = [plain];
  const read = InlineTest.parse({ title: 'One', steps, assertions: list, data });
  expect(read.assertions).toEqual([{ ...plain, args: { args: { day: '{{day}}' } } }]);
});

test.each<[string, readonly string[] | undefined, string]>([
  ['a listed tool', ['opening_hours'], '"opening_hours" was never called.'],
  [
    'a misspelt tool',
    ['opening_hour', 'other'],
    '"opening_hours" was never called. No server lists this tool; did you mean "opening_hour"?',
  ],
  ['no such tool', ['other'], '"opening_hours" was never called. No server lists this tool.'],
  ['an unknown list', undefined, '"opening_hours" was never called.'],
])('a call that was not made of %s is told so', (_title, names, reason) => {
  const transcript = {
    toolCalls: [],
    ...(names && { listedTools: names.map((name) => ({ name, serverName: 'Shop' })) }),
  };
  const stated = { type: 'toolCalledWith' as const, toolName: 'opening_hours', args: { args: {} } };
  expect(toolCalledWith.evaluate(stated, transcript as never, {} as never)).toEqual({
    passed: false,
    reason,
  });
});
