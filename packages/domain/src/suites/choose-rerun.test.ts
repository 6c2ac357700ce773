import { expect, test } from 'vitest';
import { chooseVariants } from './choose-rerun.ts';
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
