import { describe, expect, it } from 'vitest';
import { caseNameInText, caseTitles } from './case-titles.ts';

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

  it.each([
    ['a'.repeat(199), 'a'.repeat(199)],
    ['🙂'.repeat(200), '🙂'.repeat(200)],
    ['a'.repeat(201), `${'a'.repeat(199)}…`],
    [` ${'a'.repeat(200)} `, 'a'.repeat(200)],
  ])('are whole up to 200 characters, without outer spaces: %j', (title, kept) => {
    expect(caseTitles([titled('1', title, 'a')], digest)).toEqual({ a: kept });
  });

  it('are none without cases, or if no title was given', () => {
    expect(caseTitles([], digest)).toEqual({});
    expect(caseTitles([{ caseKey: '1', declaredId: 'a' }], digest)).toEqual({});
  });

  it('are sorted by id, and a title that comes again changes nothing', () => {
    const cases = ['c', 'a', 'b', 'a'].map((id) => titled(id, `Of ${id}`, id));
    expect(Object.entries(caseTitles(cases, digest))).toEqual([
      ['a', 'Of a'],
      ['b', 'Of b'],
      ['c', 'Of c'],
    ]);
  });
});

describe('the name of a case in a sentence', () => {
  it.each<[string, string, Record<string, string>, string]>([
    ['its title and its own id', 'refund', { refund: 'Refund' }, '“Refund” (refund)'],
    ['its own id, if that is the title', 'refund', { refund: 'refund' }, 'refund'],
    ['its own id without a title', 'refund', {}, 'refund'],
    ['its own id beside titles of others', 'refund', { other: 'Other' }, 'refund'],
    ['its title alone, if its id was derived', `${one}`, { [`${one}`]: 'Refund' }, '“Refund”'],
    ['no id that was derived', `${one}`, {}, 'without a title'],
    [
      'its title in quotes, even if that is the derived id',
      `${one}`,
      { [`${one}`]: `${one}` },
      `“${one}”`,
    ],
    ['its own id, if that is a word of every object', 'constructor', {}, 'constructor'],
    ['an id that is too short to be derived', `k_${'1'.repeat(39)}`, {}, `k_${'1'.repeat(39)}`],
    ['an id that is too long to be derived', `k_${'1'.repeat(41)}`, {}, `k_${'1'.repeat(41)}`],
  ])('is %s', (_title, caseId, titles, name) => {
    expect(caseNameInText(caseId, titles)).toBe(name);
  });
});
