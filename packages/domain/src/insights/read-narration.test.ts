import { describe, expect, test } from 'vitest';
import type { NarrationAnswer } from './narrator.ts';
import { answerLimits, readNarration, unnarratedOf } from './read-narration.ts';

const given = { fingerprints: new Set(['f1', 'f2']), shownIds: new Set(['s1', 's2']) };
const entry = {
  fingerprint: 'f1',
  rootCause: 'Vague.',
  recommendation: 'Say more.',
  confidence: 'high',
  acceptanceCriteria: ['It is chosen.'],
};
const whole = { summary: 'One fails.', candidates: [entry], discovery: { findings: [] } };
const read = (answer: unknown) => readNarration(JSON.stringify(answer), given);
const taken = (answer: unknown) => {
  const found = read(answer);
  if ('problem' in found) throw new Error(found.problem);
  return found;
};
const withEntry = (over: object) => ({ ...whole, candidates: [{ ...entry, ...over }] });
const letters = (count: number) => 'x'.repeat(count);

const notObject = 'The answer is not one JSON object.';
const noSummary = 'summary is not a text of 1 to 1200 characters.';
const noList = 'candidates is not a list.';
const noCause = 'rootCause and recommendation of a candidate are not texts of 1 to 800 characters.';
const noCriteria =
  'acceptanceCriteria of a candidate is not a list of up to 3 texts of 1 to 200 characters.';

test.each<readonly [string, unknown, string]>([
  ['null', null, notObject],
  ['a text', 'It fails.', notObject],
  ['no summary', { candidates: [] }, noSummary],
  ['an empty summary', { ...whole, summary: '' }, noSummary],
  ['a summary of spaces', { ...whole, summary: ' \n\t ' }, noSummary],
  ['a summary of one character too many', { ...whole, summary: letters(1201) }, noSummary],
  ['candidates that are an object', { ...whole, candidates: { f1: entry } }, noList],
  ['no candidates', { summary: 'One fails.' }, noList],
  ['no cause', withEntry({ rootCause: undefined }), noCause],
  ['an empty cause', withEntry({ rootCause: '' }), noCause],
  ['a cause of one character too many', withEntry({ rootCause: letters(801) }), noCause],
  ['no recommendation', withEntry({ recommendation: undefined }), noCause],
  ['a recommendation that is a number', withEntry({ recommendation: 7 }), noCause],
  [
    'a recommendation of one character too many',
    withEntry({ recommendation: letters(801) }),
    noCause,
  ],
  ['no criteria', withEntry({ acceptanceCriteria: undefined }), noCriteria],
  ['criteria that are a text', withEntry({ acceptanceCriteria: 'It is chosen.' }), noCriteria],
  ['four criteria', withEntry({ acceptanceCriteria: ['a', 'b', 'c', 'd'] }), noCriteria],
  ['an empty criterion', withEntry({ acceptanceCriteria: ['a', ''] }), noCriteria],
  ['a criterion that is a number', withEntry({ acceptanceCriteria: ['a', 3] }), noCriteria],
  [
    'a criterion of one character too many',
    withEntry({ acceptanceCriteria: [letters(201)] }),
    noCriteria,
  ],
])('an answer with %s is broken, in these words', (_, answer, problem) => {
  expect(read(answer)).toEqual({ problem });
});

test.each<readonly [string, object]>([
  ['texts as long as they may be', { rootCause: letters(800), recommendation: letters(800) }],
  ['three criteria as long as they may be', { acceptanceCriteria: Array(3).fill(letters(200)) }],
  ['no criterion in its list', { acceptanceCriteria: [] }],
  ['a low confidence', { confidence: 'low' }],
  ['a medium confidence', { confidence: 'medium' }],
])('a candidate with %s is taken as it is', (_, over) => {
  const { fingerprint: _f, ...narration } = { ...entry, ...over };
  expect(taken(withEntry(over)).narrations).toEqual({ f1: narration });
});

test('a summary as long as it may be is taken', () => {
  expect(taken({ ...whole, summary: letters(1200) }).summary).toBe(letters(1200));
});

test.each([['certain'], ['HIGH'], [''], [3], [null], [undefined]])(
  'confidence %j is a low one',
  (confidence) => {
    expect(taken(withEntry({ confidence })).narrations['f1']?.confidence).toBe('low');
  },
);

describe('of candidates', () => {
  test('only those that were given count, and of two of one the first', () => {
    const answer = taken({
      ...whole,
      candidates: [
        { ...entry, fingerprint: 'f3', rootCause: null },
        { ...entry, fingerprint: undefined },
        'f1',
        null,
        { ...entry, rootCause: 'First.' },
        { ...entry, rootCause: 'Second.' },
        { ...entry, fingerprint: 'f2', rootCause: 'Other.' },
      ],
    });
    expect(Object.entries(answer.narrations).map(([id, { rootCause }]) => [id, rootCause])).toEqual(
      [
        ['f1', 'First.'],
        ['f2', 'Other.'],
      ],
    );
  });

  test('a second one of the same that is broken breaks the answer, too', () => {
    const candidates = [entry, { ...entry, rootCause: 7 }];
    expect(read({ ...whole, candidates })).toEqual({ problem: noCause });
  });

  test('those are left out that have no narration of their own', () => {
    const narrations = { f1: { ...entry } } as NarrationAnswer['narrations'];
    expect(unnarratedOf(['f1', 'f2', 'toString'], { narrations })).toEqual(['f2', 'toString']);
    expect(unnarratedOf([], { narrations })).toEqual([]);
  });
});

describe('of what was discovered', () => {
  const finding = { title: 'T', observed: 'O', evidenceSessionIds: ['s1'] };
  const findingsOf = (...findings: unknown[]) =>
    taken({ ...whole, discovery: { findings } }).discovery.findings;

  test.each<readonly [string, unknown]>([
    ['no discovery', undefined],
    ['a text', 'none'],
    ['no findings', {}],
    ['findings that are an object', { findings: { 0: finding } }],
  ])('%s is none', (_, discovery) => {
    const answer = taken({ ...whole, discovery });
    expect(answer.discovery).toEqual({ findings: [], sampledSessionIds: ['s1', 's2'] });
  });

  test.each<readonly [string, unknown]>([
    ['that is no object', 'T'],
    ['without a title', { ...finding, title: undefined }],
    ['with an empty title', { ...finding, title: '' }],
    ['with a title of one character too many', { ...finding, title: letters(201) }],
    ['without what was observed', { ...finding, observed: 3 }],
    ['with one character too many observed', { ...finding, observed: letters(801) }],
    ['without evidence', { ...finding, evidenceSessionIds: [] }],
    ['with evidence that is no list', { ...finding, evidenceSessionIds: 's1' }],
    ['with evidence nobody showed it', { ...finding, evidenceSessionIds: ['s3', 4] }],
  ])('a finding %s is left out, and the others stay', (_, broken) => {
    expect(findingsOf(broken, finding)).toEqual([finding]);
  });

  test('a finding as long as it may be is kept, with what it was shown, each once', () => {
    const long = { title: letters(200), observed: letters(800) };
    const evidenceSessionIds = ['s2', 's3', 's1', 's2'];
    expect(findingsOf({ ...long, evidenceSessionIds, severity: 'high' })).toEqual([
      { ...long, evidenceSessionIds: ['s2', 's1'] },
    ]);
  });

  test('five are kept, the first ones', () => {
    const many = Array.from({ length: 7 }, (_, at) => ({ ...finding, title: `T${at}` }));
    expect(findingsOf(...many).map(({ title }) => title)).toEqual(['T0', 'T1', 'T2', 'T3', 'T4']);
    expect(answerLimits.discoveries).toBe(5);
  });
});

test.each([
  ['spaces of every kind', ' a \n\t b\u00a0c ', 'a b c'],
  ['a bell', 'a\u0007b', 'ab'],
  ['an escape', 'a\u001b[31mb', 'a[31mb'],
  ['a turned direction', 'a\u202eb\u2066c\u061cd', 'abcd'],
  ['signs of no width', 'a\u200bb\u2060cd', 'abcd'],
  ['a mark of byte order', 'c\ufeffd', 'c d'],
  ['half a pair', 'a\ud800b', 'a\ufffdb'],
  ['a private sign', 'a\ue000b', 'ab'],
  ['what needs no change', 'Größe: 3 × "x" → 日本', 'Größe: 3 × "x" → 日本'],
])('%s in a text becomes one plain line', (_, text, plain) => {
  expect(taken({ ...whole, summary: text }).summary).toBe(plain);
});
