import { expect, test } from 'vitest';
import { chooseVariants, samplesRunAgain } from './choose-rerun.ts';
import type { RerunScope } from './rerun-of.ts';

const trial = (
  caseId: string,
  model: string,
  status: 'completed' | 'failed' | 'cancelled' | 'setup_failed',
  result: 'passed' | 'failed' | null = null,
  evaluatorError = false,
) => ({ caseId, model, provider: null, status, result, evaluatorError });

const trials = [
  trial('good', 'm', 'completed', 'passed'),
  trial('mixed', 'm', 'completed', 'passed'),
  trial('mixed', 'm', 'completed', 'failed'),
  trial('mixed', 'other', 'completed', 'passed'),
  trial('broken', 'm', 'setup_failed'),
  trial('broken', 'm', 'completed', 'passed'),
  trial('stopped', 'm', 'cancelled'),
  trial('ungraded', 'm', 'completed', 'failed', true),
];

test.each<[RerunScope, string[]]>([
  ['failed', ['mixed m']],
  ['notGraded', ['broken m', 'stopped m', 'ungraded m']],
  ['all', ['good m', 'mixed m', 'mixed other', 'broken m', 'stopped m', 'ungraded m']],
])('%s: a case variant with one such trial, each once', (scope, expected) => {
  const chosen = chooseVariants(trials, scope);
  expect(chosen.map(({ caseId, model }) => `${caseId} ${model}`)).toEqual(expected);
});

test('a sample is told of a rerun as long as one of its rows is run again', () => {
  const sample = (title: string) => ({ title, rows: 2, of: 9, seed: 7 });
  const titles = new Map([
    ['one-a', 'One [a]'],
    ['one-b', 'One [b]'],
    ['onerous', 'Onerous'],
  ]);
  const again = (...ids: string[]) =>
    samplesRunAgain(
      [sample('One'), sample('Two')],
      ids.map((caseId) => ({ caseId, model: undefined, provider: undefined })),
      (id) => titles.get(id),
    );
  expect(again('one-a', 'one-b')).toEqual([sample('One')]);
  expect(again('onerous', 'gone')).toEqual([]);
});
