import type { Json } from '@proofmark/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChangeWords, changeWords, unfolded, type Vocabulary } from './change-words.ts';
import { applyChanges, type IsSet, isSame, jsonChanges } from './json-changes.ts';
import { draftText, startDraft, withField, withJson, withProblem } from './json-draft.ts';
import { lineChanges } from './line-changes.ts';
import { reapply, threeWay } from './three-way.ts';

const isSet: IsSet = (path) => path.join('.') === 'ids';
const object = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', '__proto__'),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 4 },
);
const withIds = fc
  .tuple(object, fc.uniqueArray(fc.constantFrom('x', 'y', 'z')))
  .map(([rest, ids]): Json => ({ ...rest, ids: [...ids].sort() }));

describe('the difference of two JSON values', () => {
  test('is told path by path, in one order however they were written', () => {
    const before = { b: { x: 1, y: [1, 2] }, a: true };
    const after = { a: false, b: { y: [2, 1] }, c: null };
    expect(jsonChanges(before, after)).toEqual([
      { path: ['a'], before: true, after: false },
      { path: ['b', 'x'], before: 1 },
      { path: ['b', 'y'], before: [1, 2], after: [2, 1] },
      { path: ['c'], after: null },
    ]);
    expect(jsonChanges({ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } })).toEqual([]);
  });

  test('of a set is told item by item, also where one side has none', () => {
    expect(jsonChanges({ ids: ['x', 'y'] }, { ids: ['z', 'y'] }, isSet)).toEqual([
      { path: ['ids', 'x'], before: 'x', isItem: true },
      { path: ['ids', 'z'], after: 'z', isItem: true },
    ]);
    expect(jsonChanges({}, { ids: ['z'] }, isSet)).toHaveLength(1);
  });

  test('made to the first value gives the second', () => {
    fc.assert(
      fc.property(withIds, withIds, (before, after) => {
        const made = applyChanges(before, jsonChanges(before, after, isSet));
        expect(isSame(made, after)).toBe(true);
      }),
    );
  });

  test('is empty exactly when they are the same', () => {
    fc.assert(
      fc.property(withIds, withIds, (one, other) => {
        expect(jsonChanges(one, other, isSet).length === 0).toBe(isSame(one, other));
      }),
    );
  });
});

describe('two edits of one value', () => {
  test('are in dispute only where both changed the same path, and otherwise', () => {
    const base = { model: 'a', prompt: 'p', same: 1, part: { x: 1, y: 1 } };
    const theirs = { model: 'b', prompt: 'p', same: 2, part: { x: 2, y: 1 } };
    const mine = { model: 'c', prompt: 'q', same: 2 };
    const found = threeWay(base, theirs, mine);
    expect(found.disputed).toEqual([['model'], ['part']]);
    expect(found.theirs.map(({ path }) => path.join('.'))).toEqual(['model', 'part.x', 'same']);
  });

  test('are joined with mine winning, and a set keeps what both put in', () => {
    expect(
      reapply(
        { model: 'a', ids: ['x'], deep: { one: 1 } },
        { model: 'b', ids: ['x', 'y'], deep: { one: 2, two: 2 } },
        { model: 'c', ids: ['z'], deep: { one: 1, three: 3 } },
        isSet,
      ),
    ).toEqual({ model: 'c', ids: ['y', 'z'], deep: { one: 2, two: 2, three: 3 } });
  });

  test('reapplied on what I read give mine, and without changes of mine theirs', () => {
    fc.assert(
      fc.property(withIds, withIds, (base, other) => {
        expect(isSame(reapply(base, base, other, isSet), other)).toBe(true);
        expect(isSame(reapply(base, other, base, isSet), other)).toBe(true);
      }),
    );
  });
});

describe('two texts line by line', () => {
  test('show what went and what came, with the lines around it', () => {
    const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven';
    expect(lineChanges(before, before.replace('two', '2')).map(written)).toEqual([
      ...[' one', '-two', '+2', ' three', ' four', '~3 lines'],
    ]);
    expect(lineChanges('', 'new').map(written)).toEqual(['-', '+new']);
  });

  test('hold every line of both, in order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineChanges(before.join('\n'), after.join('\n'));
        if (lines.some(({ kind }) => kind === 'skipped')) return;
        const side = (...kinds: string[]) =>
          lines.filter(({ kind }) => kinds.includes(kind)).map((line) => line.text);
        expect(side('same', 'out').join('\n')).toBe(before.join('\n'));
        expect(side('same', 'in').join('\n')).toBe(after.join('\n'));
      }),
    );
  });

  test('too long to compare are replaced as a whole', () => {
    const lines = (word: string) => Array.from({ length: 1100 }, (_, at) => `${word} ${at}`);
    const framed = (word: string) => ['1', '2', '3', ...lines(word), 'end'].join('\n');
    const kinds = lineChanges(framed('a'), framed('b')).map(({ kind }) => kind);
    expect(kinds.lastIndexOf('out')).toBe(kinds.indexOf('in') - 1);
    expect(kinds.slice(0, 3)).toEqual(['skipped', 'same', 'same']);
    expect(kinds.at(-1)).toBe('same');
  });
});

describe('a draft that is form and JSON', () => {
  test('shows in each what was changed in the other', () => {
    const start = startDraft({ modelId: 'a' });
    const byForm = withField(start, ['connectionDefaults', 'requestTimeout'], 5);
    expect(JSON.parse(draftText(byForm))).toEqual({
      modelId: 'a',
      connectionDefaults: { requestTimeout: 5 },
    });
    const byText = withJson(byForm, '{"modelId":"b"}');
    expect(byText.value).toEqual({ modelId: 'b' });
    expect(draftText(byText)).toBe('{"modelId":"b"}');
    expect(byText.generation).toBeGreaterThan(byForm.generation);
    expect(withField(byText, ['connectionDefaults', 'requestTimeout'], undefined).value).toEqual({
      modelId: 'b',
    });
  });

  test.each(['{"a": ', '[1]', 'null', '"text"'])('keeps its value while %j is typed', (typed) => {
    const draft = withJson(startDraft({ modelId: 'a' }), typed);
    expect(draft.value).toEqual({ modelId: 'a' });
    expect(draftText(draft)).toBe(typed);
    expect(draft.problems['json']).toBeDefined();
    // The form changed the value after the text was typed, so the text is dropped.
    expect(draftText(withField(draft, ['modelId'], 'b'))).toBe('{\n  "modelId": "b"\n}');
  });

  test('remembers a field that cannot be read until it is mended', () => {
    const wrong = withProblem(startDraft({ a: 1 }), ['a'], 'Enter a number.');
    expect(wrong.problems).toEqual({ a: 'Enter a number.' });
    expect(withField(wrong, ['a'], 2).problems).toEqual({});
  });

  test('forgets what could not be read of an item that went, and only of that', () => {
    const [one, two] = [{ id: 1 }, { id: 2 }];
    const wrong = withProblem(startDraft({ steps: [one, two] }), ['steps', 1, 'arguments'], 'No.');
    const more = withField(wrong, ['steps'], [one, two, { id: 3 }]);
    expect(more).toMatchObject({ generation: wrong.generation, problems: wrong.problems });
    for (const steps of [[one], [two, one]]) {
      const next = withField(wrong, ['steps'], steps);
      expect(next).toEqual({ value: { steps }, generation: wrong.generation + 1, problems: {} });
    }
    expect(withField(wrong, ['step'], 1).problems).toEqual(wrong.problems);
  });
});

test('a change is told by labels and names, and inside a labelled path with its parts', () => {
  const vocabulary: Vocabulary = {
    labels: { ids: 'Server', 'a.b': 'Header' },
    absent: 'not stated',
    nameOf: (_, id) => (id === 'srv_1' ? 'Bookshop' : undefined),
  };
  const words = (before: unknown, after: unknown): ChangeWords[] =>
    unfolded(jsonChanges(before, after, isSet)).map((change) => changeWords(change, vocabulary));
  expect(words({}, { ids: ['srv_1'] })).toEqual([
    { label: 'Server', after: 'Bookshop', isLong: false },
  ]);
  expect(words({}, { a: { b: { 'X-Team': 'x' } }, c: true })).toEqual([
    { label: 'Header › X-Team', before: 'not stated', after: 'x', isLong: false },
    { label: 'c', before: 'not stated', after: 'yes', isLong: false },
  ]);
});

function written({ kind, text }: { kind: string; text: string }): string {
  return `${{ same: ' ', out: '-', in: '+', skipped: '~' }[kind]}${text}`;
}
