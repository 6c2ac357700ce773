import { expect, test } from 'vitest';
import { readBadgeContent } from './badge.ts';

const suite = { suite: 'Orders', counts: { total: 10, passed: 8 } };
const written = { format: 'proofmark-test', version: 1, verdict: 'failed', suites: [suite] };
const read = (document: unknown) => readBadgeContent('test.json', JSON.stringify(document));

test('the cases of all suites are counted', () => {
  const other = { suite: 'More', counts: { total: 5, passed: 5 } };
  expect(read({ ...written, suites: [suite, other] })).toEqual({
    verdict: 'failed',
    passed: 13,
    total: 15,
    suites: ['Orders', 'More'],
  });
});

test.each<[string, unknown]>([
  ['of another format', { ...written, format: 'other' }],
  ['of a later version', { ...written, version: 2 }],
  ['without a known verdict', { ...written, verdict: 'green' }],
  ['with a suite without counts', { ...written, suites: [{ suite: 'Orders' }] }],
  ['with half a case', { ...written, suites: [{ ...suite, counts: { total: 1, passed: 0.5 } }] }],
  ['that is a list', [written]],
])('a file %s is refused by its name', (_title, document) => {
  expect(() => read(document)).toThrow(
    /^test\.json was not written by `proofmark test --json FILE`/,
  );
});

test('a file that is no JSON is refused', () => {
  expect(() => readBadgeContent('a.zip', 'PK')).toThrow(/^a\.zip was not written by/);
});
