import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMasked, maskedPartsOf, maskUrl } from './masked-url.ts';
import { serverUrlProblem } from './server-url.ts';

/** Different spellings of one address, as a URL parser reads it. */
const sloppy = [
  ' https://mcp.example/?key=s3cret',
  'https:mcp.example/?key=s3cret',
  'https:/mcp.example/?key=s3cret',
  'https:\\\\mcp.example/?key=s3cret',
  'https:///mcp.example/?key=s3cret',
];

describe('an address is shown', () => {
  test.each([
    ['https://mcp.example/mcp', 'https://mcp.example/mcp'],
    ['https://mcp.example/mcp?key=abc&page=2', 'https://mcp.example/mcp?key=***&page=***'],
    ['https://mcp.example?key=abc', 'https://mcp.example?key=***'],
    ['https://mcp.example/mcp?flag&empty=', 'https://mcp.example/mcp?flag&empty='],
    ['https://user:pass@mcp.example/', 'https://***@mcp.example/'],
    ['https://user@mcp.example/', 'https://***@mcp.example/'],
    ['https://mcp.example/s/0123456789abcdefghij/mcp', 'https://mcp.example/s/***/mcp'],
    ['https://mcp.example/s/0123456789abcdefghi/mcp', null],
    ['https://mcp.example/s/01234567890123456789/mcp', null],
    ['https://mcp.example/an-endpoint-with-a-long-name/mcp', null],
    ['https://mcp.example/mcp?0123456789abcdefghij', 'https://mcp.example/mcp?***'],
    ['https://mcp.example\\0123456789abcdefghij', 'https://mcp.example\\***'],
    ['HTTPS://mcp.example/?a=b#c=d', 'HTTPS://mcp.example/?a=***'],
    ['no address', null],
    ['mailto:somebody@mcp.example', null],
    ...sloppy.map((url): [string, string] => [url, 'https://mcp.example/?key=***']),
    ['https:///user:pass@mcp.example/', 'https://***@mcp.example/'],
  ])('%s as %s', (url, shown) => {
    expect(maskUrl(url)).toBe(shown ?? url);
  });

  test.each(sloppy)('and what %j hides is known', (url) => {
    expect(maskedPartsOf(url)).toEqual(['s3cret']);
    expect(serverUrlProblem(url)).toMatch(/must start with/);
  });

  test('and masked again it stays as it is', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '7', '/', '?', '&', '=', '@', '*') });
    fc.assert(
      fc.property(part, (rest) => {
        const shown = maskUrl(`https://${rest}`);
        return maskUrl(shown) === shown;
      }),
    );
  });

  test('and no part that was taken out is in what is shown', () => {
    const url = 'https://mcp.example/t/s3cr3t-0123456789-abc/mcp?key=a%2Fb%2Bsecret&x=secret+two';
    const parts = maskedPartsOf(url);
    expect(parts).toEqual([
      's3cr3t-0123456789-abc',
      'a%2Fb%2Bsecret',
      'a/b+secret',
      'secret+two',
      'secret two',
    ]);
    for (const part of parts) expect(maskUrl(url)).not.toContain(part);
  });
});

test.each([
  ['https://mcp.example/?key=***', true],
  ['https://mcp.example/***/mcp', true],
  ['https://***@mcp.example/', true],
  ['https://mcp.example/?***', true],
  ['https://mcp.example/a***b?key=x***', false],
])('%s holds the mask: %s', (url, is) => {
  expect(isMasked(url)).toBe(is);
});

test.each(['\n', '\t', '\r', '\u0000', '\u007f', '\u0085', '\u200b', '\u202e', '\u2028'])(
  'a control character is refused: %j',
  (character) => {
    for (const url of [
      `https://mcp.example/${character}mcp`,
      `https://mcp.example/mcp${character}`,
    ]) {
      expect(serverUrlProblem(url)).toBe('The url must hold no control characters.');
    }
  },
);
