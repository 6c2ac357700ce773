import {
  mutationOperators,
  operatorsToTry,
  recordingInTurn,
  runOfMutation,
} from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import { mutationNotes } from '../mutation-words.ts';

describe('operators', () => {
  test('of the surface are for a model that can react', () => {
    expect(operatorsToTry('local/one', undefined)).toEqual({ operators: mutationOperators });
    expect(operatorsToTry('local/one', ['tool-missing'])).toEqual({ operators: ['tool-missing'] });
    const found = operatorsToTry('recorded', undefined);
    expect(found).toEqual({
      operators: [
        ...['error', 'empty', 'truncated', 'previous-answer'],
        ...['number-off-by-one', 'field-missing', 'wrong-type', 'slow'],
      ],
    });
    expect(operatorsToTry('recorded', ['slow'])).toEqual({ operators: ['slow'] });
    expect(operatorsToTry('recorded', ['slow', 'description-blank'])).toMatchObject({
      refusal: { code: 'VALIDATION_ERROR', details: { path: 'body.operators[1]' } },
    });
  });
});

test.each([
  ['local/one', 'live', undefined, true],
  ['local/one', 'live', 'run_1', false],
  ['local/one', 'recorded', 'run_1', true],
  ['local/one', 'recorded', undefined, false],
  ['recorded', 'live', 'run_1', true],
  ['recorded', 'live', undefined, false],
] as const)('model %s, servers %s and run %s: %s', (model, servers, runId, isTaken) => {
  const found = runOfMutation({ model, servers, runId });
  if (isTaken) expect(found).toEqual({ runId });
  else expect(found).toMatchObject({ refusal: { details: { path: 'body.runId' } } });
});

test('trials take turns in the recordings', () => {
  const inTurn = [1, 2, 3, 4].map((number) => recordingInTurn(['a', 'b', 'c'], number));
  expect(inTurn).toEqual(['a', 'b', 'c', 'a']);
  expect([1, 2, 3].map((number) => recordingInTurn(['a'], number))).toEqual(['a', 'a', 'a']);
  expect(recordingInTurn([], 1)).toBeUndefined();
});

test('the report says what was recorded', () => {
  const runId = 'run_1';
  expect(mutationNotes({ model: 'local/one', servers: 'live', runId: null })).toEqual([]);
  const both = mutationNotes({ model: 'recorded', servers: 'recorded', runId });
  expect(both).toHaveLength(2);
  expect(both.every((note) => note.includes(runId))).toBe(true);
  expect(mutationNotes({ model: 'recorded', servers: 'live', runId })).toEqual(both.slice(1));
});
