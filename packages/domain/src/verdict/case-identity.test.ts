import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { caseVariantKey, decisionCaseId } from './case-identity.ts';
import { caseIdPattern } from './decision.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');
const digest = 'k_ba7816bf8f01cfea414140de5dae2223b00361a3';

describe('the case id of a decision', () => {
  it.each([
    ['is the declared id when that fits', 'Case_1-a', 'Case_1-a'],
    ['is the declared id at 128 characters', 'a'.repeat(128), 'a'.repeat(128)],
    ['is a digest of the key at 129 characters', 'a'.repeat(129), digest],
    ['is a digest of the key when the declared id has a blank', 'a b', digest],
    ['is a digest of the key when the declared id has a line end', 'a\n', digest],
    ['is a digest of the key when the declared id is empty', '', digest],
    ['is a digest of the key when none was declared', undefined, digest],
    ['is a digest of the key when it is null', null, digest],
  ])('%s', (_title, declaredId, expected) => {
    const caseId = decisionCaseId({ declaredId, caseKey: 'abc' }, sha256Hex);
    expect(caseId).toBe(expected);
    expect(caseId).toMatch(caseIdPattern);
  });
});

describe('the key of a row', () => {
  it('differs for each model and provider, and for none', () => {
    const variants = [
      undefined,
      { model: 'm' },
      { model: 'n' },
      { model: 'm', provider: 'p' },
      { model: 'm', provider: 'q' },
    ];
    const keys = ['a', 'b'].flatMap((caseId) =>
      variants.map((executionVariant) => caseVariantKey({ caseId, executionVariant })),
    );
    expect(new Set(keys).size).toBe(10);
    expect(keys.slice(0, 2)).toEqual(['a\0', 'a\0\0m']);
    expect(keys[3]).toBe('a\0p\0m');
  });
});
