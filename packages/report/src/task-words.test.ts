import fc from 'fast-check';
import { expect, test } from 'vitest';
import { taskWords } from './task-words.ts';

test.each<[string, object, string]>([
  [
    'a task that is completed at once',
    { states: ['working', 'completed'], polls: 1, updates: 0, cancelled: false },
    'As a task: working, completed; looked at once.',
  ],
  [
    'a task that needs input',
    { states: ['working', 'input_required', 'completed'], polls: 3, updates: 2, cancelled: false },
    'As a task: working, needs input, completed; looked at 3 times; input sent 2 times.',
  ],
  [
    'a task that never ends',
    { states: ['working'], polls: 1_200, updates: 0, cancelled: true },
    'As a task: working; looked at 1,200 times; cancelled by Proofmark.',
  ],
  [
    'a task that the server cancels',
    { states: ['working', 'cancelled'], polls: 1, updates: 0, cancelled: false },
    'As a task: working, cancelled by the server; looked at once.',
  ],
])('%s is told in one line', (_, task, words) => {
  expect(taskWords(task)).toBe(words);
});

test('a trace of another tool may hold anything there', () => {
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.record({ states: fc.array(fc.anything()) })), (task) => {
      const words = taskWords(task);
      expect(words === undefined || /^As a task: [^\n]*\.$/.test(words)).toBe(true);
    }),
  );
});
