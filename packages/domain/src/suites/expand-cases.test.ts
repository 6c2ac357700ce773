import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkValue } from '../kernel/check-value.ts';
import { CaseData, type DataRow } from './case-data.ts';
import type { CaseToPlan } from './case-to-plan.ts';
import { chooseCases } from './choose-cases.ts';
import { rowSuffix, sampleRows } from './data-rows.ts';
import type { EvalCaseDefinition } from './eval-case.ts';
import { expandCases } from './expand-cases.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');

function caseOf(
  id: string,
  definition: Partial<EvalCaseDefinition>,
  declaredId: string | null = id,
) {
  const steps: EvalCaseDefinition['steps'] = [
    { id: 'ask', kind: 'prompt', prompt: 'About {{name}}' },
  ];
  return {
    id: `row_${id}`,
    caseKey: `declared:${id}`,
    declaredId,
    definition: { title: id, steps, ...definition },
  };
}

function rowsOf(amount: number): Record<string, unknown>[] {
  return Array.from({ length: amount }, (_, at) => ({ name: `n${at}` }));
}

function expand(cases: readonly CaseToPlan[], caseIds?: readonly string[]) {
  const expanded = expandCases(cases, caseIds, sha256Hex);
  if ('refusal' in expanded) return expanded;
  const chosen = chooseCases(expanded.cases, caseIds);
  return 'refusal' in chosen ? chosen : { ...expanded, cases: chosen.cases };
}

const idsOf = (result: ReturnType<typeof expand>) =>
  'cases' in result ? result.cases.map(({ id }) => id) : [];

describe('rows as cases', () => {
  it('have the id, key and title that everybody can work out', () => {
    const digest = sha256Hex('greet\0Ada').slice(0, 12);
    const data = { key: 'name', rows: [{ name: 'Ada' }] };
    expect(expand([caseOf('greet', { data })])).toEqual({
      cases: [
        {
          id: `row_greet-${digest}`,
          declaredId: `greet-${digest}`,
          caseKey: `declared:greet-${digest}`,
          definition: {
            title: 'greet [Ada]',
            steps: [{ id: 'ask', kind: 'prompt', prompt: 'About Ada' }],
          },
          rowOf: { id: 'row_greet', declaredId: 'greet' },
        },
      ],
      samples: [],
    });
  });

  it('keep their ids, whatever other rows there are and in whatever order', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 200 }), {
          minLength: 1,
          maxLength: 40,
        }),
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 200 }), { maxLength: 40 }),
        (kept, others) => {
          const ids = (names: readonly string[]) =>
            new Map(names.map((name) => [name, rowSuffix('case', name, sha256Hex)]));
          const before = ids(kept);
          const after = ids([...others, ...kept].reverse());
          for (const name of kept) expect(after.get(name)).toBe(before.get(name));
          expect(new Set(after.values()).size).toBe(after.size);
        },
      ),
    );
  });

  it('a number is the same key as its text', () => {
    const one = (name: unknown) =>
      idsOf(expand([caseOf('a', { data: { key: 'name', rows: [{ name }] } })]));
    expect(one(7)).toEqual(one('7'));
  });

  it('are chosen by the id of their case or by their own', () => {
    const data = { key: 'name', rows: rowsOf(3) };
    const cases = [caseOf('a', { data }), caseOf('b', {})];
    const all = idsOf(expand(cases));
    expect(all).toHaveLength(4);
    expect(idsOf(expand(cases, ['a']))).toEqual(all.slice(0, 3));
    expect(idsOf(expand(cases, ['row_a']))).toEqual(all.slice(0, 3));
    expect(idsOf(expand(cases, ['b', all[1] as string]))).toEqual([all[1], 'row_b']);
    const declared = `a${rowSuffix('a', 'n2', sha256Hex)}`;
    expect(idsOf(expand(cases, [declared]))).toEqual([all[2]]);
    expect(expand(cases, ['a-000000000000'])).toMatchObject({
      refusal: { details: { reason: 'CASE_NOT_FOUND' } },
    });
  });

  it('of a disabled case are none', () => {
    const cases = [
      caseOf('a', { disabled: true, data: { key: 'name', rows: rowsOf(600) } }),
      caseOf('b', {}),
    ];
    expect(idsOf(expand(cases))).toEqual(['row_b']);
  });

  it('are refused where an id is taken', () => {
    const digest = sha256Hex('a\0n0').slice(0, 12);
    const cases = [
      caseOf(`a-${digest}`, {}),
      caseOf('a', { data: { key: 'name', rows: rowsOf(1) } }),
    ];
    expect(expand(cases)).toMatchObject({ refusal: { details: { reason: 'DUPLICATE_CASE_ID' } } });
  });
});

describe('how many', () => {
  it('500 cases are played, and no more', () => {
    const rows = rowsOf(499);
    const data = { key: 'name', rows };
    expect(idsOf(expand([caseOf('a', { data }), caseOf('b', {})]))).toHaveLength(500);
    expect(expand([caseOf('a', { data }), caseOf('b', {}), caseOf('c', {})])).toMatchObject({
      refusal: { code: 'VALIDATION_ERROR', details: { cases: 501, allowedValue: 500 } },
    });
    const off = caseOf('c', { disabled: true });
    expect(expand([caseOf('a', { data }), caseOf('b', {}), off])).not.toHaveProperty('refusal');
    expect(idsOf(expand([caseOf('a', { data }), caseOf('b', {}), caseOf('c', {})], ['b']))).toEqual(
      ['row_b'],
    );
  });

  it('a sample is told, and a row that is named is none', () => {
    const data = { key: 'name', rows: rowsOf(2000), sample: { rows: 400, seed: 7 } };
    const result = expand([caseOf('a', { data })]);
    expect(idsOf(result)).toHaveLength(400);
    expect(result).toMatchObject({ samples: [{ title: 'a', rows: 400, of: 2000, seed: 7 }] });
    const left = rowsOf(2000).find(
      ({ name }) => !idsOf(result).includes(idOf(String(name))),
    ) as DataRow;
    const named = expand([caseOf('a', { data })], [idOf(String(left['name']))]);
    expect(named).toMatchObject({ cases: [{ id: idOf(String(left['name'])) }], samples: [] });
  });

  const idOf = (name: string) => `row_a${rowSuffix('a', name, sha256Hex)}`;

  it('texts of a run are bounded', () => {
    const long = 'x'.repeat(90_000);
    const steps: EvalCaseDefinition['steps'] = [{ id: 'ask', kind: 'prompt', prompt: long }];
    const cases = [caseOf('a', { steps, data: { key: 'name', rows: rowsOf(300) } })];
    expect(expand(cases)).toMatchObject({ refusal: { details: { reason: 'CASES_TOO_LONG' } } });
  });
});

describe('samples', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), {
    minLength: 1,
    maxLength: 60,
  });
  const taken = (of: readonly string[], rows: number, seed: number) => {
    const all = of.map((name) => ({ name }));
    return sampleRows({ key: 'name', rows: all, sample: { rows, seed } }, sha256Hex).map(
      ({ name }) => name,
    );
  };

  it('are the same ones for the same rows in any order, and stand in the order of the rows', () => {
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 60 }), fc.nat(), (of, rows, seed) => {
        const sample = taken(of, rows, seed);
        expect(sample).toHaveLength(Math.min(rows, of.length));
        expect(sample).toEqual(of.filter((name) => sample.includes(name)));
        expect([...taken([...of].reverse(), rows, seed)].sort()).toEqual([...sample].sort());
      }),
    );
  });

  it('a larger one holds a smaller one of the same seed', () => {
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 30 }), fc.nat(), (of, rows, seed) => {
        const larger = new Set(taken(of, rows + 5, seed));
        for (const name of taken(of, rows, seed)) expect(larger.has(name)).toBe(true);
      }),
    );
  });

  it('another seed takes others', () => {
    const of = rowsOf(500).map(({ name }) => String(name));
    const common = taken(of, 100, 1).filter((name) => taken(of, 100, 2).includes(name));
    expect(common.length).toBeGreaterThan(5);
    expect(common.length).toBeLessThan(40);
  });
});

describe('the rows of a case', () => {
  const problems = (data: unknown) => {
    const checked = checkValue(CaseData, data);
    return 'problems' in checked
      ? checked.problems.map(({ path, message }) => `${path.join('.')}: ${message}`)
      : [];
  };

  it.each<[string, unknown, RegExp]>([
    [
      'a key that two rows have',
      { key: 'n', rows: [{ n: 1 }, { n: '1' }] },
      /^rows\.1\.n: Row 2 repeats the "n" "1" of row 1/,
    ],
    [
      'a row without its key',
      { key: 'n', rows: [{ n: 'a' }, { m: 'b' }] },
      /^rows\.1\.n: The row has no "n", which must identify it; it has m\./,
    ],
    ['a key that is no text', { key: 'n', rows: [{ n: true }] }, /^rows\.0\.n/],
    ['an empty key', { key: 'n', rows: [{ n: '' }] }, /^rows\.0\.n/],
    ['a long key', { key: 'n', rows: [{ n: 'x'.repeat(201) }] }, /^rows\.0\.n/],
    ['no rows', { key: 'n', rows: [] }, /at least one row/],
    ['too many rows', { key: 'n', rows: rowsOf(5001) }, /at most 5,000 rows/],
    [
      'too much in them',
      { key: 'n', rows: [{ n: 'a', text: 'x'.repeat(5_000_000) }] },
      /5,000,000/,
    ],
    ['a name with braces', { key: 'n', rows: [{ n: 'a', 'b}': 1 }] }, /without braces/],
    [
      'a file',
      { key: 'n', file: 'rows.csv' },
      /^file: Only the proofmark command reads data files/,
    ],
    [
      'a sample of nothing',
      { key: 'n', rows: [{ n: 1 }], sample: { rows: 0, seed: 1 } },
      /sample\.rows/,
    ],
  ])('refuses %s', (_what, data, expected) => {
    expect(problems(data).join('\n')).toMatch(new RegExp(expected.source, 'm'));
  });

  it('takes 5,000 rows with values of any kind', () => {
    const rows = Array.from({ length: 5000 }, (_, n) => ({ n, list: [n], none: null, is: true }));
    expect(problems({ key: 'n', rows, sample: { rows: 500, seed: 7 } })).toEqual([]);
  });
});
