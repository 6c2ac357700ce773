import { mutationScore } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { mutationExitCode, mutationLines } from './mutate.ts';

const named = { caseId: 'cas_1', title: 'Tells the price', model: null };
const own = { serverName: 'Shop', toolName: 'get_book' };
const mutants = [
  {
    ...own,
    operator: 'field-missing',
    path: '/price',
    outcome: 'survived',
    killedBy: [],
    words: 'The field "/price" is missing in the answer of "get_book".',
    nearestCase: named,
    suggestion: {
      caseId: 'cas_1',
      assertion: { type: 'toolResultPath', toolName: 'get_book', pointer: '/price', exists: true },
    },
  },
  {
    ...own,
    operator: 'error',
    outcome: 'killed',
    words: 'The tool answers with an error.',
    killedBy: [{ ...named, stage: 'response', reason: 'An error.' }],
  },
  { ...own, operator: 'tool-missing', outcome: 'equivalent', killedBy: [], words: 'It is gone.' },
] as unknown as Parameters<typeof mutationLines>[0]['mutants'];
const mutation = {
  mutationId: 'mut_1',
  suiteId: 'ste_1',
  status: 'completed',
  seed: 1,
  maxMutants: 60,
  operators: [],
  model: 'proofmark/lexical-1',
  servers: 'live',
  error: null,
  createdAt: 1,
  completedAt: 2,
  progress: { done: 3, total: 3 },
  byStage: [],
  estimate: { mutants: 60, trials: 63, worstCaseCredits: 0 },
  notes: ['The answers of servers come from the recordings of run_1.'],
  leftOut: [
    {
      ...named,
      title: 'Opens on Sunday',
      reason: 'The case fails even without a change of the server.',
    },
  ],
  score: mutationScore(mutants),
  mutants,
} as unknown as Parameters<typeof mutationLines>[0];

test('the score is told first, then what was left out, then every survivor with what would notice it', () => {
  expect(mutationLines(mutation, { ascii: true, width: 80 })).toEqual([
    'The suite noticed 1 of 2 changes: 50 % (95 % interval 9.5 % to 90.5 %).',
    'Nothing to notice: 1.',
    'The answers of servers come from the recordings of run_1.',
    'Left out, because it fails without a change: Opens on Sunday. The case fails',
    '  even without a change of the server.',
    '',
    '1 change not noticed:',
    '- The field "/price" is missing in the answer of "get_book".',
    '  Nearest case: Tells the price',
    '  This would notice it: toolResultPath, toolName "get_book", pointer "/price",',
    '    exists true',
  ]);
});

test.each([
  ['completed', 0.5, undefined, 0],
  ['completed', 0.5, 0.5, 0],
  ['completed', 0.5, 0.6, 1],
  ['completed', null, 0.6, 3],
  ['completed', null, undefined, 3],
  ['failed', 0.5, undefined, 3],
  ['cancelled', 0.5, 0.1, 3],
] as const)('%s at %s with a least score of %s ends with %i', (status, value, least, code) => {
  const score = { killed: 0, decided: 0, value, interval: null };
  expect(mutationExitCode({ status, score }, least)).toBe(code);
});
