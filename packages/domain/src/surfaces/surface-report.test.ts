import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../kernel/json.ts';
import { surfaceDifference } from '../servers/surface-difference.ts';
import { leastLikeness, pairRenamed } from './pair-renamed.ts';
import { surfaceReport } from './surface-report.ts';
import type { FailingTrial } from './touched-tools.ts';

const parameter = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const tool = (name: string, description: string, ...names: string[]): Json => ({
  name,
  description,
  inputSchema: parameter(...names),
});
const report = (before: Json[], after: Json[], failing: FailingTrial[] = []) =>
  surfaceReport(
    surfaceDifference(
      [{ id: 's', name: 'Shop', tools: before }],
      [{ id: 's', name: 'Shop', tools: after }],
    ),
    failing,
  );
const failed = (id: string, expected: string[], called: string[] = []): FailingTrial => ({
  id,
  expectedToolCalls: expected.map((toolName) => ({ toolName })),
  actualToolCalls: called.map((toolName) => ({ toolName })),
});

const search = tool('search', 'Finds books by the words of their titles.', 'query', 'limit');
const refund = tool('refund', 'Pays an order back.', 'order');
const ship = tool('ship', 'Sends an order out to its buyer.', 'order', 'address');

test('the same surface has no difference', () => {
  expect(report([search, refund], [refund, search])).toEqual({
    added: [],
    removed: [],
    renamed: [],
    changed: [],
  });
});

test('every difference stands in its list, with what was and is and what it does', () => {
  const found = { ...search, name: 'find', title: 'Find' };
  const dear = { ...refund, description: 'Repays.', annotations: { readOnlyHint: false } };
  const place = { serverName: 'Shop', trials: [], failingTrials: 0 };
  expect(report([search, refund, ship], [found, dear, tool('ping', '')])).toEqual({
    added: [{ toolName: 'ping', ...place }],
    removed: [{ toolName: 'ship', ...place }],
    renamed: [{ from: 'search', to: 'find', likeness: 1, ...place }],
    changed: expect.arrayContaining([
      { toolName: 'find', what: 'title', before: null, after: 'Find', effect: 'words', ...place },
      {
        toolName: 'refund',
        what: 'annotations',
        path: '/readOnlyHint',
        before: null,
        after: false,
        effect: 'words',
        ...place,
      },
      {
        toolName: 'refund',
        what: 'description',
        effect: 'words',
        before: 'Pays an order back.',
        after: 'Repays.',
        ...place,
      },
    ]),
  });
});

test('changes that more failing trials touch come first, then those that do more', () => {
  const trials = [failed('1', ['ship']), failed('2', [], ['ship']), failed('3', ['search'])];
  const { changed } = report(
    [search, refund, ship],
    [
      { ...search, description: 'Finds books.' },
      { ...refund, inputSchema: parameter('order', 'note') },
      {
        ...ship,
        description: 'Ships.',
        inputSchema: { ...parameter('order', 'address', 'day'), required: ['day'] },
      },
    ],
    trials,
  );
  expect(changed.map((one) => [one.toolName, one.effect, one.trials])).toEqual([
    ['ship', 'breaking', ['1', '2']],
    ['ship', 'words', ['1', '2']],
    ['search', 'words', ['3']],
    ['refund', 'widened', []],
  ]);
});

test('of a tool that was renamed the trials count that still ask for its former name', () => {
  const { renamed } = report([search], [{ ...search, name: 'find' }], [failed('1', ['search'])]);
  expect(renamed).toMatchObject([{ trials: ['1'], failingTrials: 1 }]);
});

test('renamed: from a likeness of 0.7 on, by parameters and words', () => {
  const named = (description: string, ...names: string[]) => tool('other', description, ...names);
  const likenessOf = (other: Json) => pairRenamed([search], [other])[0]?.likeness;
  const words = 'Finds books by the words of their titles.';
  expect(likenessOf(named(words, 'query', 'limit'))).toBe(1);
  // With equal words, half of the parameters in common give a similarity of 0.75, and a third gives
  // 0.66.
  expect(likenessOf(named(words, 'query'))).toBe(0.75);
  expect(likenessOf(named(words, 'query', 'other'))).toBeUndefined();
  expect(pairRenamed([tool('a', 'One two.')], [tool('b', 'One two.')])[0]?.likeness).toBe(1);
});

const anyTools = (prefix: string) =>
  fc
    .array(
      fc.tuple(fc.subarray(['one', 'two', 'three', 'four', 'five']), fc.subarray(['a', 'b', 'c'])),
      { maxLength: 6 },
    )
    .map((all) =>
      all.map(([words, names], at) => tool(`${prefix}${at}`, words.join(' '), ...names)),
    );

test('renamed: one to one, the best first, and the same pairs turned round', () => {
  fc.assert(
    fc.property(anyTools('x'), anyTools('y'), (gone, come) => {
      const pairs = pairRenamed(gone, come);
      const used = pairs.flatMap(({ from, to }) => [from, to]);
      expect(new Set(used).size).toBe(used.length);
      const likenesses = pairs.map(({ likeness }) => likeness);
      expect(likenesses).toEqual([...likenesses].sort((one, other) => other - one));
      for (const one of likenesses) expect(one).toBeGreaterThanOrEqual(leastLikeness);
      // If a similar pair was not chosen, one of its two tools is in a pair that is at least as
      // similar.
      for (const from of gone) {
        for (const to of come) {
          const [alone] = pairRenamed([from], [to]);
          if (alone === undefined) continue;
          const chosen = pairs.filter((pair) => pair.from === from || pair.to === to);
          const best = Math.max(...chosen.map(({ likeness }) => likeness));
          expect(best).toBeGreaterThanOrEqual(alone.likeness);
        }
      }
      const named = (all: typeof pairs, one: 'from' | 'to', other: 'from' | 'to') =>
        all.map((pair) => `${pair[one]['name']} ${pair[other]['name']}`).sort();
      expect(named(pairRenamed(come, gone), 'to', 'from')).toEqual(named(pairs, 'from', 'to'));
    }),
  );
});
