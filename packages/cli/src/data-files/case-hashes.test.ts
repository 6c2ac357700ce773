import { expect, test } from 'vitest';
import { readCaseHashes } from './case-hashes.ts';

const suite = (prompt: string, more = '') => `defaults: { model: small }
cases:
  - { id: opens, ask: ${prompt}${more} }
  - { id: closes, ask: When? }
`;
const hashOf = async (content: string, id = 'opens') => (await readCaseHashes(content))(id);

test('an edited case has another hash, and no other case has', async () => {
  const before = await hashOf(suite('Open?'));
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  expect(await hashOf(suite('Shut?'))).not.toBe(before);
  expect(await hashOf(suite('Shut?'), 'closes')).toBe(await hashOf(suite('Open?'), 'closes'));
  expect(await hashOf(suite('Open?').replace('small', 'large'))).not.toBe(before);
});

test('layout and the number of trials are no part of a case', async () => {
  const before = await hashOf(suite('Open?'));
  expect(await hashOf(`# A comment.\n${suite('"Open?"', ', repetitions: 3')}`)).toBe(before);
  expect(await hashOf(suite('Open?'), 'opens-0123456789ab')).toBe(before);
});

test('a text that is no suite has no hashes', async () => {
  expect(await hashOf(': not [ yaml')).toBeUndefined();
  expect(await hashOf('[1]')).toBeUndefined();
});
