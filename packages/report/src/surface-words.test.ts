import { expect, test } from 'vitest';
import {
  candidateSentences,
  describeDifferences,
  type SurfaceToRender,
  surfaceSentences,
} from './surface-words.ts';
import { plainSentence } from './write-text.ts';

const none: SurfaceToRender = {
  added: [],
  removed: [],
  renamed: [],
  changed: [],
  totals: { added: 0, removed: 0, renamed: 0, changed: 0 },
};
const surface: SurfaceToRender = {
  added: [{ toolName: 'new', failingTrials: 0 }],
  removed: [{ toolName: 'old', failingTrials: 0 }],
  renamed: [{ from: 'find', to: 'search', failingTrials: 1 }],
  changed: [
    { toolName: 'pay', what: 'description', effect: 'words', failingTrials: 2 },
    {
      toolName: 'pay',
      what: 'inputSchema',
      path: '/required',
      effect: 'narrowed',
      failingTrials: 2,
    },
    { toolName: 'ship', what: 'annotations', effect: 'words', failingTrials: 0 },
  ],
  totals: { added: 1, removed: 1, renamed: 1, changed: 3 },
};
const failed = { verdict: 'failed' } as const;
const plain = (sentences: ReturnType<typeof surfaceSentences>) =>
  sentences.map((sentence) => plainSentence(sentence, false));

test('what most failing trials have to do with is told first, then what does most', () => {
  expect(plain(surfaceSentences(surface))).toEqual([
    'The input schema of "pay" allows less at /required; 2 failing trials have to do with it.',
    'The description of "pay" says something else; 2 failing trials have to do with it.',
    'The tool "find" is called "search" now; 1 failing trial has to do with it.',
    'The tool "old" is gone.',
    'The annotations of "ship" say something else.',
    'The tool "new" is new.',
  ]);
});

test('each is told with the trials that have to do with it', () => {
  const [one] = describeDifferences({
    ...none,
    removed: [{ toolName: 'old', failingTrials: 2, trials: ['a', 'b'] }],
  });
  expect(one?.trials).toEqual(['a', 'b']);
});

test('candidates are those that failing trials have to do with, at most three', () => {
  const [first, ...named] = plain(candidateSentences(failed, { surface }));
  expect(first).toBe(
    'Its tools have 6 differences from the run it is compared with; candidates for the cause:',
  );
  expect(named).toEqual(plain(surfaceSentences(surface)).slice(0, 3));
  const untouched = { ...none, added: surface.added, totals: { ...none.totals, added: 1 } };
  expect(plain(candidateSentences(failed, { surface: untouched }))).toEqual([
    'Its tools have 1 difference from the run it is compared with, and no failing trial involves one of them.',
  ]);
  expect(candidateSentences(failed, { surface: none })).toEqual([]);
  expect(candidateSentences(failed, {})).toEqual([]);
  expect(candidateSentences({ verdict: 'passed' }, { surface })).toEqual([]);
});
