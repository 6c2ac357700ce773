import { expect, test } from 'vitest';
import { type TestToRun, whyDatabase } from './why-database.ts';

const plain: TestToRun = {
  flags: {},
  namesData: false,
  hasData: false,
  suites: ['shop', 'desk'],
  ofSettings: undefined,
};

test('a test of which nothing is to be kept needs no database', () => {
  expect(whyDatabase(plain)).toBeUndefined();
  const ephemeral = { flags: { ephemeral: true }, namesData: true, hasData: true } as const;
  expect(whyDatabase({ ...plain, ...ephemeral })).toBeUndefined();
});

test.each<[string, Partial<TestToRun>]>([
  ['--keep', { flags: { keep: true } }],
  ['named', { namesData: true }],
  ['of this folder', { hasData: true }],
  ['watched', { flags: { watch: true } }],
  ['watched', { flags: { watch: true, ephemeral: true } }],
  ['second run', { suites: ['shop', 'shop'] }],
  ['project', { flags: { project: 'Default' } }],
  ['limit', { ofSettings: 'The settings set daily limits.' }],
])('it does where: %s', (words, given) => {
  expect(whyDatabase({ ...plain, ...given })).toContain(words);
});
