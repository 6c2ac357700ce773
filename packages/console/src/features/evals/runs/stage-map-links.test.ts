import { expect, test } from 'vitest';
import { caseNameOf, choicesOf, searchOfCase } from './stage-map-links.ts';

const row = { testCaseId: 'cas_1', caseId: 'refunds', title: 'Refunds', model: 'small' };
const { caseId: _, ...undeclared } = row;

test('a case is asked for by its id, else by its title, and its model where there are several', () => {
  expect(searchOfCase(row, false)).toEqual({ case: 'cas_1' });
  expect(searchOfCase({ ...row, testCaseId: null }, true)).toEqual({
    case: 'refunds',
    model: 'small',
  });
  expect(searchOfCase({ ...undeclared, testCaseId: null }, false)).toEqual({ text: 'Refunds' });
  expect(searchOfCase({ ...undeclared, testCaseId: null, title: null }, false)).toEqual({});
  expect(caseNameOf({ ...row, title: null })).toBe('refunds');
});

test('each case and each model is one choice', () => {
  const nameless = { ...undeclared, testCaseId: null, model: null };
  expect(choicesOf([row, { ...row, model: 'large' }, nameless])).toEqual({
    cases: [{ id: 'cas_1', name: 'Refunds' }],
    models: ['large', 'small'],
  });
});
