import { metricsOf, type SessionOfScenario } from '@proofmark/domain';
import { anyScenarioSession, scenarioSessionOf } from '@proofmark/harness/any-visits.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  completedWords,
  conversationsSentence,
  ratedWords,
  ratingWords,
  visitOutcomeWords,
} from './visit-words.ts';

const metrics = (
  sessions: readonly SessionOfScenario[],
  population: 'real' | 'synthetic' | 'all' = 'real',
) => metricsOf(sessions, { population, truncated: false });

describe('a rating', () => {
  test.each([
    [{ rating: null, scale: null, count: 0 }, 'not rated'],
    [{ rating: 2, scale: 'stars', count: 1 }, '2 of 5'],
    [{ rating: 1, scale: 'thumbs', count: 1 }, 'not helpful'],
    [{ rating: 5, scale: 'thumbs', count: 1 }, 'helpful'],
    [{ rating: 1, scale: 'thumbs', count: 3 }, 'not helpful, the lowest of 3 ratings'],
    [{ rating: 4, scale: null, count: 2 }, '4 of 5, the lowest of 2 ratings'],
  ] as const)('%j is shown in the scale it was given in: %s', (given, words) => {
    expect(ratingWords(given)).toBe(words);
  });

  test('is averaged only with others of its scale', () => {
    const rated = (rating: number, ratingScale: 'stars' | 'thumbs') =>
      scenarioSessionOf({ rating, ratingScale });
    expect(ratedWords(metrics([]))).toBe('none yet');
    expect(ratedWords(metrics([rated(5, 'thumbs'), rated(1, 'thumbs'), rated(4, 'stars')]))).toBe(
      '4.0 of 5 on average, in 1 conversation; helpful in 1 of 2 conversations',
    );
  });
});

test('what completed counts is said, and no outcome has a name that is a part of another', () => {
  const over = (outcome: 'completed' | 'partial') =>
    scenarioSessionOf({ over: { outcome, tools: [] } });
  const some = metrics([over('completed'), over('partial'), scenarioSessionOf({ over: null })]);
  expect(conversationsSentence(some)).toBe('3 conversations of 1 visitor, 2 of them over.');
  expect(completedWords(some)).toBe('1 of 2 that are over, 50 %');
  expect(completedWords(metrics([]))).toBe('none is over yet');
  const words = Object.values(visitOutcomeWords);
  for (const one of words) {
    expect(words.filter((other) => other !== one && other.startsWith(one))).toEqual([]);
  }
});

test('no two sentences about a scenario contradict each other, nor the table of outcomes or of days', () => {
  const numbers = (text: string) =>
    [...text.matchAll(/\d+(?:\.\d+)?/g)].map(([one]) => Number(one));
  fc.assert(
    fc.property(fc.array(anyScenarioSession, { maxLength: 12 }), (sessions) => {
      const counted = metrics(sessions, 'all');
      const [all, , over] = numbers(conversationsSentence(counted));
      expect([all, over]).toEqual([sessions.length, sessions.filter((one) => one.over).length]);
      const listed = sessions.filter((one) => one.over?.outcome === 'completed').length;
      if (over === 0) expect(completedWords(counted)).toMatch(/^none /);
      else expect(numbers(completedWords(counted)).slice(0, 2)).toEqual([listed, over]);
      const sum = (of: 'sessionCount' | 'analyzedCount' | 'completedCount') =>
        counted.trend.reduce((total, day) => total + day[of], 0);
      expect([sum('sessionCount'), sum('analyzedCount'), sum('completedCount')]).toEqual([
        ...[all, over, listed],
      ]);
      const { ratedByStars, ratedByThumbs, ratedSessionCount } = counted;
      expect(ratedByStars.sessionCount + ratedByThumbs.sessionCount).toBe(ratedSessionCount);
      expect(ratedWords(counted) === 'none yet').toBe(ratedSessionCount === 0);
    }),
  );
});
