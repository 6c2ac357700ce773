import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CaseIdentityKeys,
  identifyCase,
  type KnownCase,
  KnownCases,
  type ReportedIdentity,
} from './reported-case.ts';

function hash(text: string): string {
  return `#${text}`;
}

function identify(reported: Partial<ReportedIdentity>) {
  return identifyCase({ caseTitle: 'adds', ...reported }, hash);
}

describe('which case a trial names', () => {
  test('a declared id comes first, then the id of the reporter, then the content', () => {
    expect(identify({ caseId: 'a', externalCaseId: 'a' })).toMatchObject({
      declaredId: 'a',
      caseKey: 'declared:a',
    });
    expect(identify({ externalCaseId: 'x' })).toMatchObject({
      declaredId: null,
      caseKey: 'external:x',
    });
    const { caseKey, contentHash } = identify({});
    expect(caseKey).toBe(`content:${contentHash}`);
  });

  test.each(['caseId', 'externalCaseId'] as const)('an empty %s is none', (name) => {
    expect(identify({ [name]: '' })).toEqual(identify({}));
  });

  test.each<[string, Partial<ReportedIdentity>, boolean]>([
    ['the same', {}, true],
    ['another title', { caseTitle: 'adds more' }, false],
    ['a negative test', { isNegativeTest: true }, false],
    ['stated to be no negative test', { isNegativeTest: false }, true],
    ['steps', { steps: [{ prompt: 'x' }] }, false],
    ['a configuration', { advancedConfig: { temperature: 0 } }, false],
    ['a scorer', { scorers: ['x'] } as never, true],
    ['match options', { matchOptions: { order: 'any' } } as never, true],
    ['an expected output', { expectedOutput: '4' } as never, true],
  ])('content with %s: is it the same? %s', (_title, change, same) => {
    expect(identify(change).contentHash === identify({}).contentHash).toBe(same);
  });

  test('the order of keys in steps and configuration says nothing', () => {
    expect(identify({ advancedConfig: { a: 1, b: 2 }, steps: [{ c: 1, d: 2 }] })).toEqual(
      identify({ advancedConfig: { b: 2, a: 1 }, steps: [{ d: 2, c: 1 }] }),
    );
  });
});

describe('which known case that is', () => {
  const content = identify({});
  const declared = (id: string) => identify({ caseId: id });
  const known = (
    keys: ReturnType<typeof identify>,
    change: Partial<KnownCase> = {},
  ): KnownCase => ({
    ...keys,
    id: `case of ${keys.caseKey}`,
    ...change,
  });

  test('none of them: it is new', () => {
    expect(matchCase(content, [])).toEqual({ isNew: true });
    expect(matchCase(content, [known(identify({ caseTitle: 'other' }))])).toEqual({ isNew: true });
  });

  test('a declared id finds its case whatever the content has become', () => {
    const one = known(declared('a'), { contentHash: 'older' });
    expect(matchCase(declared('a'), [known(content), one])).toEqual({ is: one });
  });

  test('a declared id is adopted by the case of its content that has none', () => {
    const one = known(content);
    expect(matchCase(declared('a'), [known(declared('b')), one])).toEqual({ adopts: one });
  });

  test('a declared id is not adopted where another was, nor by a case of the reporter’s own id', () => {
    const cases = [known(content, { declaredId: 'b' }), known(identify({ externalCaseId: 'x' }))];
    expect(matchCase(declared('a'), cases)).toEqual({ isNew: true });
  });

  test('the id of a reporter finds that case alone', () => {
    const one = known(identify({ externalCaseId: 'x' }));
    expect(matchCase(identify({ externalCaseId: 'x' }), [known(content), one])).toEqual({
      is: one,
    });
    expect(matchCase(identify({ externalCaseId: 'y' }), [known(content), one])).toEqual({
      isNew: true,
    });
  });

  test('without any id: the case made for the content, also after it adopted an id', () => {
    for (const declaredId of [null, 'z']) {
      const one = known(content, { declaredId });
      expect(matchCase(content, [known(declared('a')), one])).toEqual({ is: one });
    }
  });

  test('without any id and without such a case: the one whose declared id comes first', () => {
    const [a, b] = [known(declared('a')), known(declared('b'))];
    expect(matchCase(content, [b, a])).toEqual({ is: a });
    expect(matchCase(content, [known(identify({ externalCaseId: 'x' }))])).toEqual({ isNew: true });
  });
});

test('where a content has one declared id at most, trials end in the same cases in any order', () => {
  const trial = fc.record({
    caseTitle: fc.constantFrom('one', 'two', 'three'),
    named: fc.constantFrom('declared', 'external', 'unnamed'),
  });
  const orders = fc.array(fc.nat(), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(trial, { maxLength: 20 }), orders, (trials, order) => {
      const reports = trials.map(({ caseTitle, named }) => ({
        caseTitle,
        ...(named === 'declared' && { caseId: `id-${caseTitle}` }),
        ...(named === 'external' && { externalCaseId: `own-${caseTitle}` }),
      }));
      const shuffled = reports
        .map((report, index) => ({ report, key: order[index] ?? 0 }))
        .sort((one, other) => one.key - other.key)
        .map(({ report }) => report);
      expect(groupsOf(shuffled)).toEqual(groupsOf(reports));
    }),
  );
});

function groupsOf(reports: readonly ReportedIdentity[]): string[] {
  const cases: KnownCase[] = [];
  const groups = new Map<string, string[]>();
  for (const report of reports) {
    const keys = identifyCase(report, hash);
    const match = matchCase(keys, cases);
    const found = 'is' in match ? match.is : 'adopts' in match ? match.adopts : undefined;
    const id = found?.id ?? `case ${cases.length}`;
    if (found === undefined) cases.push({ ...keys, id });
    else if ('adopts' in match)
      cases[cases.indexOf(found)] = { ...found, declaredId: keys.declaredId };
    groups.set(id, [...(groups.get(id) ?? []), JSON.stringify(report)]);
  }
  return [...groups.values()].map((members) => members.sort().join()).sort();
}

const matchCase = (wanted: CaseIdentityKeys, known: readonly KnownCase[]) =>
  new KnownCases(known).match(wanted);

test('a look-up finds what reading through all known cases finds', () => {
  const contents = fc.constantFrom('one', 'two', 'three');
  const ids = fc.constantFrom('a', 'b', 'c', 'd');
  const keys = fc
    .record({
      caseTitle: contents,
      caseId: fc.option(ids, { nil: undefined }),
      externalCaseId: fc.option(ids, { nil: undefined }),
    })
    .map((reported) => identifyCase(reported, hash));
  const known = fc.tuple(keys, fc.option(ids, { nil: null })).map(([one, adopted]) => ({
    ...one,
    id: one.caseKey,
    declaredId: one.caseKey.startsWith('content:') ? adopted : one.declaredId,
  }));
  const distinct = fc
    .uniqueArray(known, { selector: (one) => one.caseKey, maxLength: 12 })
    .map((cases) =>
      cases.filter(
        ({ declaredId }, at) =>
          declaredId === null || cases.findIndex((one) => one.declaredId === declaredId) === at,
      ),
    );
  fc.assert(
    fc.property(keys, distinct, (wanted, cases) => {
      expect(matchCase(wanted, cases)).toEqual(matchByReading(wanted, cases));
    }),
  );
});

/** A simple reference version of the tested case matching, which searches all cases. */
function matchByReading(wanted: CaseIdentityKeys, known: readonly KnownCase[]) {
  const declared = known.filter((one) => one.declaredId !== null);
  if (wanted.declaredId !== null) {
    const is = declared.find((one) => one.declaredId === wanted.declaredId);
    if (is !== undefined) return { is };
    const adopts = known.find(
      (one) => one.declaredId === null && one.caseKey === `content:${wanted.contentHash}`,
    );
    return adopts === undefined ? { isNew: true } : { adopts };
  }
  const same = known.find((one) => one.caseKey === wanted.caseKey);
  if (same !== undefined) return { is: same };
  const [is] = declared
    .filter((one) => one.contentHash === wanted.contentHash)
    .sort((one, other) => (String(one.declaredId) < String(other.declaredId) ? -1 : 1));
  return wanted.caseKey.startsWith('external:') || is === undefined ? { isNew: true } : { is };
}
