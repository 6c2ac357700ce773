import { expect, test } from 'vitest';
import { neighboursOf } from './neighbours.ts';

const trials = ['a', 'b', 'c'].map((id) => ({ id }));

test('a trial has one before and one after it, except at the ends', () => {
  expect(neighboursOf(trials, 'b', false)).toEqual({
    before: 'a',
    after: 'c',
    place: 2,
    read: 3,
    mayFollow: false,
    isAll: true,
  });
  expect(neighboursOf(trials, 'a', true)?.before).toBeUndefined();
  expect(neighboursOf(trials, 'c', true)).toMatchObject({ after: undefined, mayFollow: true });
  expect(neighboursOf(trials, 'c', false)?.mayFollow).toBe(false);
  expect(neighboursOf(trials, 'x', true)).toBeUndefined();
});
