import { expect, test } from 'vitest';
import { largeResults } from './large-results.ts';

const answered = (toolName: string, text: string, more: object = {}) => ({
  toolName,
  serverName: 'Shop',
  arguments: {},
  result: { text, ...more },
});
const limit = (tokens: number, more: object = {}) => ({
  type: 'maximumResultTokens' as const,
  tokens,
  ...more,
});
const characters = (text: string) => text.length;

test('only results above the limit of their case are large, and a cut one by what was kept', () => {
  const calls = [answered('find', '12345'), answered('list', '123456', { isCut: true })];
  const large = { serverName: 'Shop', toolName: 'list', tokens: 6, maximum: 5 };
  expect(largeResults(calls, [limit(5)], characters)).toEqual([large]);
  expect(largeResults(calls, [limit(5, { toolName: 'find' })], characters)).toEqual([]);
  expect(largeResults(calls, [{ type: 'noToolErrors' }], characters)).toEqual([]);
});
