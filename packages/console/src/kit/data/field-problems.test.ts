import { ApiError } from '@proofmark/client';
import { expect, test } from 'vitest';
import { fieldProblems, formProblem, problemInside } from './field-problems.ts';

function refused(details: Record<string, unknown>) {
  return new ApiError(
    400,
    { code: 'VALIDATION_ERROR', message: 'The first is wrong.', details },
    undefined,
  );
}

test('every issue is found at its field, in either way of writing a path', () => {
  const error = refused({
    path: 'body.url',
    issues: [
      { path: 'body.url', message: 'Not a URL.' },
      { path: ['headers', 'Host'], message: 'Reserved.' },
      { path: 'body.oauthScopes[1]', message: 'Empty.' },
    ],
  });
  expect(fieldProblems(error)).toEqual({
    url: 'Not a URL.',
    'headers.Host': 'Reserved.',
    'oauthScopes.1': 'Empty.',
  });
  expect(problemInside(fieldProblems(error), 'headers')).toBe('Reserved.');
  expect(problemInside(fieldProblems(error), 'oauthScopes')).toBe('Empty.');
  expect(formProblem(error, ['url', 'headers', 'oauthScopes'])).toBeUndefined();
});

test('a path without issues takes the message of the error', () => {
  expect(fieldProblems(refused({ path: 'body.name' }))).toEqual({ name: 'The first is wrong.' });
});

test('what no field can show is said for the form', () => {
  expect(formProblem(refused({ path: 'icon' }), ['name'])).toBe('The first is wrong.');
  expect(formProblem(refused({ path: '' }), ['name'])).toBe('The first is wrong.');
  expect(formProblem(new Error('Could not reach it.'), ['name'])).toBe('Could not reach it.');
  expect(formProblem(null, ['name'])).toBeUndefined();
});

test('details of an unknown kind are no field problem', () => {
  expect(fieldProblems(refused({ path: 7, issues: ['x', null, { path: 'a' }] }))).toEqual({});
});
