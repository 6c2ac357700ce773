import { expect, test } from 'vitest';
import { hashToken, newToken } from './token.ts';

test('a token is 256 bits of chance: every bit of it differs from one to the next', () => {
  const tokens = Array.from({ length: 200 }, () => newToken());
  const bytes = tokens.map(({ token }) => Buffer.from(token, 'base64url'));
  for (const [index, { token, hash }] of tokens.entries()) {
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(bytes[index]).toHaveLength(32);
    expect(hash).toEqual(hashToken(token));
  }
  // The probability that a random bit is the same in all samples is 1 in 2^191.
  const always = Array.from({ length: 256 }, (_, bit) => bit).filter((bit) => {
    const values = new Set(bytes.map((one) => ((one[bit >> 3] ?? 0) >> (bit & 7)) & 1));
    return values.size === 1;
  });
  expect(always).toEqual([]);
});
