import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { divergenceAt, listingDivergence, maxDivergenceText } from './divergence.ts';
import { firstDifference } from './first-difference.ts';
import { RecordingRedactor } from './redact-recording.ts';
import { describeRedactionMarks, hasMark } from './redaction-marks.ts';
import { pointerOf, ReplayIgnore, readIgnore } from './replay-ignore.ts';

const plain = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)));
/** A random secret that is no part of a redaction mark and long enough not to occur by chance. */
const secret = fc
  .string({ minLength: 8, maxLength: 24, unit: fc.constantFrom(...'abcdXYZ0129!/+=&".\\') })
  .filter((text) => !'{"$redacted":0123456789}'.includes(text));

describe('secrets in what is kept', () => {
  test('a known secret is nowhere, as a value, a key or a part of a text', () => {
    fc.assert(
      fc.property(plain, secret, secret, (value, one, other) => {
        const holding = [
          value,
          { [one]: value, deep: [`a ${one}${other}`, other, { other }] },
          one,
        ];
        const kept = new RecordingRedactor([one, other]).redact(holding);
        const texts = textsIn(kept);
        expect(texts.filter((text) => text.includes(one) || text.includes(other))).toEqual([]);
      }),
    );
  });

  test('what stands under a telling key is nowhere, also in JSON inside a text, escaped or not', () => {
    const filled = fc.oneof(
      secret,
      fc.array(secret, { minLength: 1, maxLength: 3 }),
      fc.record({ a: secret }),
    );
    fc.assert(
      fc.property(filled, plain, (hidden, value) => {
        const one = JSON.stringify({ before: 1, apiKey: hidden, after: value });
        const kept = new RecordingRedactor([]).redact({
          Authorization: hidden,
          text: `It said ${one} and went.`,
          twice: JSON.stringify({ inner: one }),
        });
        const { text, ...others } = kept as { text: string; twice: string; Authorization: unknown };
        expect(others.Authorization).toEqual({ $redacted: 1 });
        expect(text).toContain('"apiKey":{"$redacted":');
        expect(text).toMatch(/ and went\.$/);
        for (const leaf of textsIn(hidden).filter((text) => text.length >= 8)) {
          const spelled = JSON.stringify(leaf).slice(1, -1);
          const again = JSON.stringify(spelled).slice(1, -1);
          expect(text.replace(JSON.stringify(value), '')).not.toContain(spelled);
          expect(others.twice.replace(JSON.stringify(value), '')).not.toContain(`"${again}\\"`);
        }
      }),
    );
  });

  test('numbers count distinct values, and equal ones have the same', () => {
    const redactor = new RecordingRedactor(['hunter-2222']);
    expect(
      redactor.redact([
        { token: 'a' },
        { token: 'b', list: ['is hunter-2222.'] },
        { password: 'a' },
        '{"secret": "b", "is": null, "token": null, "cookie": true}',
      ]),
    ).toEqual([
      { token: { $redacted: 1 } },
      { token: { $redacted: 2 }, list: ['is {"$redacted":3}.'] },
      { password: { $redacted: 1 } },
      '{"secret": {"$redacted":2}, "is": null, "token": null, "cookie": true}',
    ]);
  });

  test('JSON inside JSON inside JSON is looked through, as deep as tools and models nest it', () => {
    let text = JSON.stringify({ refresh_token: 'canary-inside' });
    for (let depth = 0; depth <= 5; depth += 1) {
      const kept = new RecordingRedactor([]).redact({ text });
      expect(JSON.stringify(kept), `${depth}`).not.toContain('canary-inside');
      text = JSON.stringify({ said: text });
    }
  });

  test('what holds none is the very same value, and a mark stays what it is', () => {
    const value = { a: [1, 'two', { b: null }], text: '{"a": "b"}' };
    expect(new RecordingRedactor(['unknown-to-it']).redact(value)).toBe(value);
    const marked = { token: { $redacted: 4 }, text: '{"token": {"$redacted":4}}' };
    expect(new RecordingRedactor([]).redact(marked)).toBe(marked);
  });

  test('a schema with a parameter called token keeps it, without a known secret', () => {
    const schema = { properties: { token: { type: 'string', description: 'As abcdefgh1.' } } };
    expect(new RecordingRedactor([]).redactKnown(schema)).toBe(schema);
    expect(new RecordingRedactor(['abcdefgh1']).redactKnown(schema)).toEqual({
      properties: { token: { type: 'string', description: 'As {"$redacted":1}.' } },
    });
  });

  test('whoever reads on is told a word', () => {
    expect(
      describeRedactionMarks({ token: { $redacted: 1 }, text: ['a {"$redacted":12}.'] }),
    ).toEqual({
      token: '[redacted]',
      text: ['a [redacted].'],
    });
  });
});

describe('the first difference', () => {
  test('is none where a secret is a key, which is told by a word that no other takes', () => {
    const [one, other] = ['known-of-run-1', 'known-of-run-2'];
    const content = { [other]: 2, [one]: { n: 1 }, z: 3, list: [{ [other]: other }] };
    const kept = new RecordingRedactor([one, other]).redact(content);
    expect(JSON.stringify(kept)).not.toContain('known');
    const described = describeRedactionMarks(kept);
    expect(described).toEqual({
      '[redacted]': 2,
      '[redacted] 2': { n: 1 },
      z: 3,
      list: [{ '[redacted]': '[redacted]' }],
    });
    // The values are compared as stored in a file or database, and as redacted in other runs, where
    // marks have other numbers.
    const sorted = JSON.parse(canonicalJson(kept));
    const again = new RecordingRedactor(['another one', one]).redact(described);
    const elsewhere = new RecordingRedactor(['yet another', one, other]).redact({
      first: 'yet another',
      said: content,
    });
    for (const alike of [
      kept,
      content,
      described,
      again,
      sorted,
      describeRedactionMarks(sorted),
      Object(elsewhere).said,
    ]) {
      expect(firstDifference(kept, alike)).toBeUndefined();
      expect(firstDifference(alike, kept)).toBeUndefined();
      expect(firstDifference(sorted, alike)).toBeUndefined();
    }
    expect(firstDifference(kept, { ...content, [one]: { n: 2 } })?.before).toBe(1);
    expect(firstDifference(kept, { ...content, more: 1 })?.path).toBe('/more');
    const { z: _, ...less } = content;
    expect(firstDifference(kept, less)?.path).toBe('/z');
    expect(firstDifference(kept, { z: 3, list: content.list })).toBeDefined();
  });

  test('is none between equal values, whatever the order of keys', () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(firstDifference(value, withKeysReversed(value))).toBeUndefined();
      }),
    );
  });

  test('is none between a value and what was kept of it', () => {
    fc.assert(
      fc.property(plain, secret, (value, known) => {
        const holding = { value, password: value, text: `a ${known} b ${known}`, list: [known] };
        const kept = new RecordingRedactor([known]).redact(holding);
        expect(firstDifference(kept, holding)).toBeUndefined();
        expect(firstDifference(holding, kept)).toBeUndefined();
      }),
    );
  });

  test('is named at exactly the place of a single change', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.nat(5)), { minLength: 1, maxLength: 5 }),
        plain,
        (path, filling) => {
          const build = (leaf: unknown): unknown =>
            path.reduceRight<unknown>((inner, part) => {
              if (typeof part === 'string')
                return Object.fromEntries([
                  [part, inner],
                  ['~', 1],
                ]);
              return Array.from({ length: 6 }, (_, index) => (index === part ? inner : filling));
            }, leaf);
          fc.pre(!path.includes('~'));
          expect(firstDifference(build('before'), build('after'))).toEqual({
            path: pointerOf(path.map(String)),
            before: 'before',
            after: 'after',
          });
        },
      ),
    );
  });

  test.each<[string, unknown, unknown, readonly string[], string | undefined]>([
    ['an item more', [1], [1, 2], [], '/1'],
    ['a key less', { a: 1 }, {}, [], '/a'],
    ['null where nothing was', {}, { a: null }, [], '/a'],
    ['a mark in place of a number', { a: { $redacted: 1 } }, { a: 5 }, [], undefined],
    ['a mark where nothing stands', { a: { $redacted: 1 } }, {}, [], '/a'],
    ['a mark where nothing stood', [], [{ $redacted: 1 }], [], '/0'],
    ['a mark inside a text', 'a {"$redacted":1} b', 'a 123 b', [], undefined],
    ['a text that lacks what follows a mark', 'a {"$redacted":1} b', 'a 123 c', [], ''],
    ['a text too short for a mark', 'ab{"$redacted":1}ba', 'aba', [], ''],
    [
      'an ignored place',
      { i: [{ at: 1, n: 1 }] },
      { i: [{ at: 2, n: 1 }] },
      ['/i/*/at'],
      undefined,
    ],
    [
      'beside an ignored place',
      { i: [{ at: 1, n: 1 }] },
      { i: [{ at: 2, n: 2 }] },
      ['/i/*/at'],
      '/i/0/n',
    ],
    ['below an ignored place', { a: { b: { c: 1 } } }, { a: { b: [] } }, ['/a/b'], undefined],
    ['an ignored place that went', { a: 1, b: 1 }, { b: 1 }, ['/a'], undefined],
    ['a number that may differ', { a: 1 }, { a: 2.5 }, ['number'], undefined],
    ['a number that became a text', { a: 1 }, { a: '1' }, ['number'], '/a'],
    ['numbers in a text', 'took 12 ms', 'took -1.5e3 ms', ['number'], undefined],
    ['words beside them', 'took 12 ms', 'took 12 s', ['number'], ''],
    [
      'moments in a text',
      'at 2026-01-02T03:04:05.678Z.',
      'at 2025-11-12 13:14:15+02:00.',
      ['timestamp'],
      undefined,
    ],
    [
      'a moment of the mail',
      'Mon, 02 Jan 2026 03:04:05 GMT',
      'Tue, 03 Feb 2026 01:02:03 GMT',
      ['timestamp'],
      undefined,
    ],
    [
      'a moment as programs print it',
      'Fri Jan 02 2026 03:04:05 GMT+0000 (Coordinated Universal Time)',
      'Sat Nov 15 2025 13:14:15 GMT+0200 (Eastern European Standard Time)',
      ['timestamp'],
      undefined,
    ],
    [
      'a moment as shells print it',
      'Fri Jan  2 03:04:05 UTC 2026',
      'Sat Nov 15 13:14:15 CET 2025',
      ['timestamp'],
      undefined,
    ],
    ['words beside a moment', 'at 2026-01-02 in Rome', 'at 2026-01-03 in Oslo', ['timestamp'], ''],
    ['a moment that became a word', 'at 2026-01-02', 'at once', ['timestamp'], ''],
    [
      'one part stands for one alone',
      { a: { b: { c: 1 } } },
      { a: { b: { c: 2 } } },
      ['/*/c'],
      '/a/b/c',
    ],
    [
      'any part of a record',
      { a: { b: 1 }, c: { b: 1 } },
      { a: { b: 2 }, c: { b: 3 } },
      ['/*/b'],
      undefined,
    ],
    [
      'a name with a stroke',
      { 'a/b': 1, '~': 1 },
      { 'a/b': 2, '~': 2 },
      ['/a~1b', '/~0'],
      undefined,
    ],
    ['an item more where any may be', [1], [1, 2], ['/*'], undefined],
    ['a day that no rule names', '2026-01-02', '2026-01-03', ['uuid'], ''],
    [
      'ids in a text',
      'id 123e4567-e89b-12d3-a456-426614174000',
      'id 00000000-0000-4000-8000-000000000000',
      ['uuid'],
      undefined,
    ],
    ['a mark beside numbers', 'n 1 {"$redacted":1}', 'n 2 secret', ['number'], undefined],
  ])('%s', (_, before, after, ignore, path) => {
    expect(ReplayIgnore.safeParse(ignore).success).toBe(true);
    expect(firstDifference(before, after, readIgnore(ignore))?.path).toBe(path);
  });

  test.each(['at', '/a~2', 'a/b', ''])('%j is no rule of what may differ', (stated) => {
    expect(ReplayIgnore.safeParse([stated]).success).toBe(false);
  });
});

describe('a divergence', () => {
  const tool = (name: string, description: string) => ({ name, description });
  test.each([
    [
      'a tool that went',
      [tool('a', 'A'), tool('b', 'B')],
      [tool('b', 'B2')],
      { toolName: 'a', path: '', message: 'The server "S" no longer lists the tool "a".' },
    ],
    [
      'one word of a description',
      [tool('a', 'A'), tool('b', 'B')],
      [tool('b', 'B2'), tool('a', 'A')],
      {
        toolName: 'b',
        path: '/description',
        before: 'B',
        after: 'B2',
        message: 'The server "S" lists the tool "b" differently than recorded at /description.',
      },
    ],
    [
      'a tool that came',
      [tool('a', 'A')],
      [tool('a', 'A'), tool('b', 'B')],
      {
        toolName: 'b',
        before: '',
        after: '{"description":"B","name":"b"}',
        message: 'The server "S" lists the tool "b", which it did not list when this was recorded.',
      },
    ],
  ])('%s is named', (_, before, after, expected) => {
    expect(listingDivergence('S', before, after)).toMatchObject(expected);
    expect(listingDivergence('S', before, [...before].reverse())).toBeUndefined();
  });

  test('shows of long texts the part that differs, within its bounds', () => {
    const long = 'x'.repeat(5000);
    const place = {
      side: 'server',
      kind: 'result',
      serverName: 'S',
      toolName: 't',
      turn: 0,
    } as const;
    const shown = divergenceAt(place, { path: '/a', before: `${long}1`, after: `${long}2` });
    expect(shown.before).toMatch(/^…x{200}1$/);
    expect(shown.after).toMatch(/^…x{200}2$/);
    const other = divergenceAt(place, {
      path: `/${long}`,
      before: long,
      after: { b: `${long}${long}` },
    });
    expect([other.path, other.before, other.after, other.message].map((one) => one.length)).toEqual(
      Array.from({ length: 4 }, () => maxDivergenceText),
    );
  });
});

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [canonicalJson(value)];
  return Object.entries(value).flatMap(([key, one]) => [key, ...textsIn(one)]);
}

function withKeysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, withKeysReversed(one)] as const);
  return Object.fromEntries(entries.reverse());
}

test('whether something holds a mark is seen at any depth', () => {
  expect(hasMark({ a: ['b {"$redacted":1}'] })).toBe(true);
  expect(hasMark({ a: [{ token: { $redacted: 1 } }] })).toBe(true);
  expect(hasMark({ a: [{ $redacted: 'no' }, '{"$redacted":x}'] })).toBe(false);
});
