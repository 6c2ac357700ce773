import { describe, expect, test } from 'vitest';
import { completeSuiteFile } from './complete-suite-file.ts';
import { SuiteFile } from './suite-file.ts';

const short = {
  schemaVersion: '1',
  suite: { id: 'hours', name: 'Opening hours' },
  cases: [
    {
      id: 'monday',
      title: 'Monday',
      steps: [
        { kind: 'prompt', prompt: 'What are the opening hours on Monday?' },
        { id: 'step-3', kind: 'toolCall', toolName: 'opening_hours', arguments: { day: 'Monday' } },
        {
          kind: 'assert',
          assertion: { type: 'toolCalledWith', toolName: 'opening_hours', arguments: { day: 'x' } },
        },
      ],
      assertions: [{ type: 'toolCalledWith', toolName: 'opening_hours', arguments: {} }],
    },
  ],
};
const called = (args: object) => ({
  type: 'toolCalledWith',
  toolName: 'opening_hours',
  args: { args },
});
const whole = {
  schemaVersion: '1',
  mode: 'agentWorkflow',
  reportingMode: 'standard',
  suite: short.suite,
  target: { servers: [{ name: 'Shop' }] },
  defaults: { model: 'proofmark/lexical-1', repetitions: 1, passThreshold: 1, validity: {} },
  cases: [
    {
      id: 'monday',
      title: 'Monday',
      steps: [
        { id: 'step-1', kind: 'prompt', prompt: 'What are the opening hours on Monday?' },
        {
          id: 'step-3',
          kind: 'toolCall',
          serverName: 'Shop',
          toolName: 'opening_hours',
          arguments: { day: 'Monday' },
        },
        { id: 'step-3a', kind: 'assert', assertion: called({ day: 'x' }) },
      ],
      assertions: [called({})],
    },
  ],
};
const help = { servers: ['Shop'], model: 'proofmark/lexical-1' };

test('a file in its shortest form stands for the whole one', () => {
  const completed = completeSuiteFile(short, help);
  expect(completed).toEqual(whole);
  expect(SuiteFile.parse(completed)).toEqual(whole);
});

test('a whole file stays as it is, whoever helps', () => {
  expect(completeSuiteFile(whole, { servers: ['Other'], model: 'other/model' })).toEqual(whole);
});

test('the second dialect counts iterations', () => {
  const { defaults } = completeSuiteFile({ ...short, schemaVersion: '2' }, help) as typeof whole;
  expect(defaults).toEqual({
    model: 'proofmark/lexical-1',
    iterations: 1,
    passThreshold: 1,
    validity: {},
  });
});

test('a server contract is given no model, and its calls around trials know the only server', () => {
  const call = { kind: 'toolCall', toolName: 'reset', arguments: {} };
  const completed = completeSuiteFile(
    { ...short, mode: 'serverContract', defaults: { before: [call] } },
    help,
  );
  expect(completed).toMatchObject({
    defaults: { before: [{ id: 'step-1', serverName: 'Shop', ...call }], validity: {} },
  });
  expect(completed).not.toHaveProperty('defaults.model');
});

describe('what nobody said stays unsaid', () => {
  test('no target and no model without help, and no server of a step where there are two', () => {
    expect(completeSuiteFile(short)).not.toHaveProperty('target');
    expect(completeSuiteFile(short)).not.toHaveProperty('defaults.model');
    const completed = completeSuiteFile(short, { servers: ['One', 'Two'] }) as typeof whole;
    expect(completed.cases[0]?.steps[1]).not.toHaveProperty('serverName');
  });

  test.each([
    ['a list', []],
    ['a part that was left empty', { ...whole, defaults: null, cases: [null] }],
    ['parts of another form', { ...whole, cases: [{ steps: ['x'], assertions: [1] }] }],
    [
      'arguments in both forms',
      { ...whole, cases: [{ assertions: [{ ...called({}), arguments: {} }] }] },
    ],
  ])('%s stays for the check', (_name, file) => {
    expect(completeSuiteFile(file, help)).toEqual(file);
  });
});
