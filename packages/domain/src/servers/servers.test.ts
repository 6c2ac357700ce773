import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { credentialChange } from './credentials-after-edit.ts';
import { headerProblem, sameOrigin, serverUrlProblem } from './server-url.ts';

describe('the address of a server', () => {
  test.each(['https://mcp.example/mcp', 'http://127.0.0.1:8080/sse?a=b', 'http://[::1]:3000/'])(
    '%s is fine',
    (url) => {
      expect(serverUrlProblem(url)).toBeUndefined();
    },
  );

  test.each([
    '',
    'mcp.example/mcp',
    '/mcp',
    'ftp://mcp.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user:secret@mcp.example/',
    'https://user@mcp.example/',
    'https://mcp.example/#token',
  ])('%s is refused with a sentence that holds no part of it', (url) => {
    const problem = serverUrlProblem(url);
    expect(problem).toMatch(/\.$/);
    expect(problem).not.toContain('secret');
  });
});

describe('headers', () => {
  test.each([
    ['Authorization', 'Bearer abc', true],
    ['X-Api-Key', 'ü', true],
    ['Bad Name', 'x', false],
    ['', 'x', false],
    ['Host', 'x', false],
    ['content-length', '1', false],
    ['X-A', 'a\r\nX-B: c', false],
    ['X-A', 'a\u0000', false],
    ['X-A', '漢', false],
  ])('%j: %j is allowed: %s', (name, value, allowed) => {
    expect(headerProblem(name, value) === undefined).toBe(allowed);
  });
});

describe('stored credentials', () => {
  const url = fc.constantFrom(
    'https://a.example/mcp',
    'https://a.example/other',
    'https://b.example/mcp',
    'http://a.example/mcp',
    'https://a.example:444/mcp',
  );

  test('are never kept on another origin', () => {
    fc.assert(
      fc.property(
        url,
        url,
        fc.option(fc.string(), { nil: undefined }),
        fc.boolean(),
        (storedUrl, nextUrl, given, clear) => {
          const change = credentialChange({
            storedUrls: [storedUrl],
            nextUrls: [nextUrl],
            given,
            clear,
          });
          if (change.kind === 'keep')
            expect(new URL(storedUrl).origin).toBe(new URL(nextUrl).origin);
          if (change.kind === 'replace') expect(change.value).toBe(given);
          if (given !== undefined) expect(change.kind).toBe('replace');
        },
      ),
    );
  });

  test.each([
    ['https://a.example/one', 'https://a.example/two', 'keep'],
    ['https://a.example/', 'https://a.example:443/', 'keep'],
    ['https://a.example/', 'http://a.example/', 'drop'],
    ['https://a.example/', 'https://A.example/', 'keep'],
    ['https://a.example/', 'https://a.example.evil.example/', 'drop'],
  ])('from %s to %s: %s', (storedUrl, nextUrl, kind) => {
    expect(
      credentialChange({
        storedUrls: [storedUrl],
        nextUrls: [nextUrl],
        given: undefined,
        clear: false,
      }).kind,
    ).toBe(kind);
  });

  test('go when any of the places they are sent to moves', () => {
    const storedUrls = ['https://a.example/', 'https://auth.example/'];
    const kind = (second: string | null) =>
      credentialChange({
        storedUrls,
        nextUrls: ['https://a.example/', second],
        given: undefined,
        clear: false,
      }).kind;
    expect(kind('https://auth.example/other')).toBe('keep');
    expect(kind('https://evil.example/')).toBe('drop');
    expect(kind(null)).toBe('drop');
  });

  test('go when asked to', () => {
    const same = { storedUrls: ['https://a.example/'], nextUrls: ['https://a.example/'] };
    expect(credentialChange({ ...same, given: undefined, clear: true }).kind).toBe('drop');
  });

  test('a server without an address shares its origin with none that has one', () => {
    expect(sameOrigin(null, 'https://a.example/')).toBe(false);
    expect(sameOrigin(null, null)).toBe(true);
  });
});
