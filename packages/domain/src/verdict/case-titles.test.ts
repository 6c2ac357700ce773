import { describe, expect, it } from 'vitest';
import { caseTitles } from './case-titles.ts';

const [one, other] = ['1', '2'].map((digit) => `k_${digit.repeat(40)}`);

describe('titles of cases', () => {
  const titled = (caseKey: string, title: string | null, declaredId: string | null = null) => ({
    caseKey,
    declaredId,
    title,
  });
  const digest = (key: string) => key.repeat(64);

  it('are kept by the id in the decision, without empty ones, in whatever order they come', () => {
    const cases = [
      ...[titled('1', 'Weather'), titled('2', 'Weather'), titled('3', ' '), titled('4', null)],
      ...[titled('5', 'B', 'refund'), titled('5', 'A', 'refund'), titled('6', 'C', '__proto__')],
    ];
    const kept = caseTitles(cases, digest);
    expect(Object.entries(kept)).toEqual([
      ...[
        ['__proto__', 'C'],
        [one, 'Weather'],
        [other, 'Weather'],
      ],
      ['refund', 'A'],
    ]);
    expect(JSON.stringify(caseTitles(cases.toReversed(), digest))).toBe(JSON.stringify(kept));
  });

  it('are cut between characters', () => {
    const { a = '' } = caseTitles([titled('1', '🙂'.repeat(300), 'a')], digest);
    expect([[...a].length, a.at(-1), a.isWellFormed()]).toEqual([200, '…', true]);
  });
});
