import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clientAuthentication,
  issuerMetadataAddresses,
  readIssuerMetadata,
} from './issuer-metadata.ts';
import {
  readResourceMetadata,
  resourceMetadataAddresses,
  resourceMetadataHint,
} from './resource-metadata.ts';
import { isSendableToken, readTokenAnswer, readTokenRefusal } from './token-answer.ts';
import { lifetimeMsOf, mayRenewRefused, pauseAfterFailureMs, renewalNeed } from './token-life.ts';

describe('the answer of a token endpoint', () => {
  test('gives what can be used', () => {
    expect(
      readTokenAnswer({ access_token: 'a', token_type: 'BEARER', refresh_token: 'r', scope: 's' }),
    ).toEqual({ accessToken: 'a', refreshToken: 'r', scope: 's' });
    expect(readTokenAnswer({ access_token: 'a', expires_in: '3600' })).toEqual({
      accessToken: 'a',
      expiresInSeconds: 3600,
    });
    expect(readTokenAnswer({ access_token: 'a', expires_in: -1, refresh_token: null })).toEqual({
      accessToken: 'a',
    });
  });

  test.each(['a\0', 'a\n', 'a\x7f', '\ud800', 'a \udc00'])(
    'is taken without a scope that cannot be kept: %j',
    (scope) => {
      expect(readTokenAnswer({ access_token: 'a', refresh_token: 'r', scope })).toEqual({
        accessToken: 'a',
        refreshToken: 'r',
      });
    },
  );

  test.each([
    undefined,
    null,
    'text',
    [],
    {},
    { access_token: '' },
    { access_token: 7 },
    { access_token: 'a\r\nx: y' },
    { access_token: 'a b' },
    { access_token: 'ü' },
    { access_token: 'a'.repeat(65_537) },
    { access_token: 'a', token_type: 'DPoP' },
    { access_token: 'a', refresh_token: 7 },
  ])('is refused whole when it is not well formed: %j', (document) => {
    expect(readTokenAnswer(document)).toBeUndefined();
  });

  test('never throws, and never gives a token that a header cannot hold', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string({ unit: 'binary' }), (document, token) => {
        readTokenAnswer(document);
        const read = readTokenAnswer({ access_token: token });
        expect(read !== undefined).toBe(isSendableToken(token));
        if (read)
          expect(new Headers({ authorization: `Bearer ${token}` }).get('authorization')).toBe(
            `Bearer ${token}`,
          );
      }),
    );
  });

  test.each([
    [400, { error: 'invalid_grant' }, 'over'],
    [401, { error: 'invalid_grant' }, 'over'],
    [400, { error: 'invalid_client' }, 'failed'],
    [500, { error: 'invalid_grant' }, 'failed'],
    [503, undefined, 'failed'],
    [429, {}, 'failed'],
    [200, { error: 'invalid_grant' }, 'failed'],
  ])('%i with %j: %s', (status, document, outcome) => {
    expect(readTokenRefusal(status, document)).toBe(outcome);
  });
});

describe('the life of a token', () => {
  const life = { expiresInMs: 3_600_000, ageMs: 0, renewed: true, canBeRenewed: true };

  test.each([
    [3_600_000, 0, 'none'],
    [60_001, 3_539_999, 'none'],
    [60_000, 3_540_000, 'soon'],
    [1, 3_599_999, 'soon'],
    [0, 3_600_000, 'now'],
    [-5_000, 3_605_000, 'now'],
    // A token with a lifetime of two seconds is not renewed at once.
    [2_000, 0, 'none'],
    [501, 1_499, 'none'],
    [500, 1_500, 'soon'],
  ])('with %i ms left after %i ms: %s', (expiresInMs, ageMs, need) => {
    expect(renewalNeed({ ...life, expiresInMs, ageMs })).toBe(need);
  });

  test('a new token that has not expired is never renewed at once, whatever its life', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (expiresInMs) => {
        expect(renewalNeed({ ...life, expiresInMs, ageMs: 0 })).toBe('none');
      }),
    );
  });

  test('once wanted, a renewal stays wanted until the end', () => {
    const rank = { none: 0, soon: 1, now: 2 };
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(10_000_000), fc.nat(10_000_000), (whole, a, b) => {
        const at = (ageMs: number) =>
          rank[renewalNeed({ ...life, expiresInMs: whole - ageMs, ageMs })];
        expect(at(Math.min(a, b))).toBeLessThanOrEqual(at(Math.max(a, b)));
      }),
    );
  });

  test('what cannot be renewed, or does not say when it expires, is used as it is', () => {
    expect(renewalNeed({ ...life, expiresInMs: -1, canBeRenewed: false })).toBe('none');
    expect(renewalNeed({ ...life, expiresInMs: null })).toBe('none');
  });

  test('a refused token is renewed unless it is fresh from a renewal', () => {
    expect(mayRenewRefused({ ...life, ageMs: 29_999 })).toBe(false);
    expect(mayRenewRefused({ ...life, ageMs: 30_000 })).toBe(true);
    expect(mayRenewRefused({ ...life, renewed: false })).toBe(true);
    expect(mayRenewRefused({ ...life, expiresInMs: 0 })).toBe(true);
    expect(mayRenewRefused({ ...life, renewed: false, canBeRenewed: false })).toBe(false);
  });

  test('pauses grow from five seconds to a minute', () => {
    expect([0, 1, 2, 3, 4, 5, 2_000].map(pauseAfterFailureMs)).toEqual([
      5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000,
    ]);
  });

  test('a lifetime is whole milliseconds that a date can be moved by, or none', () => {
    expect(lifetimeMsOf(undefined)).toBeNull();
    expect(lifetimeMsOf(0)).toBe(0);
    expect(lifetimeMsOf(1.5)).toBe(1_500);
    fc.assert(
      fc.property(fc.double(), (seconds) => {
        const ms = lifetimeMsOf(seconds);
        if (ms === null) return;
        expect(Number.isSafeInteger(ms)).toBe(true);
        expect(Number.isNaN(new Date(Date.now() + ms).getTime())).toBe(false);
      }),
    );
  });
});

describe('the metadata of a protected resource', () => {
  test.each([
    [null, undefined],
    ['Bearer', undefined],
    ['Bearer resource_metadata="https://a.example/prm", error="x"', 'https://a.example/prm'],
    ['Bearer realm="x", Resource_Metadata = "https://a.example/p?q=1"', 'https://a.example/p?q=1'],
    ['Bearer resource_metadata=https://a.example/prm, scope="a"', 'https://a.example/prm'],
    ['Bearer resource_metadata="not a url"', undefined],
    ['Bearer my_resource_metadata="https://a.example/"', undefined],
  ])('the hint in %s is %s', (header, address) => {
    expect(resourceMetadataHint(header)).toBe(address);
  });

  test.each([
    ['https://a.example/mcp', ['/mcp', '']],
    ['https://a.example/', ['']],
    ['https://a.example/x/mcp/?q=1', ['/x/mcp', '']],
  ])('of %s is looked for at the path and at the root', (url, paths) => {
    expect(resourceMetadataAddresses(url)).toEqual(
      paths.map((path) => `https://a.example/.well-known/oauth-protected-resource${path}`),
    );
  });

  test.each([
    ['https://a.example/mcp', null, 'read'],
    ['https://a.example', null, 'read'],
    ['https://a.example/', null, 'read'],
    ['https://a.example/mcp/', null, 'read'],
    ['https://a.example/m', null, 'anotherResource'],
    ['https://a.example/mcp/below', null, 'anotherResource'],
    ['https://b.example/mcp', null, 'anotherResource'],
    ['http://a.example/mcp', null, 'anotherResource'],
    ['https://a.example:444/mcp', null, 'anotherResource'],
    ['https://api.example/', 'https://api.example', 'read'],
    ['https://b.example/', 'https://api.example', 'anotherResource'],
    ['nothing', null, 'malformed'],
    ['https://a.example/mcp\0', null, 'malformed'],
    ['https://a.example/\tmcp', null, 'malformed'],
    ['https://a.example/mcp?\ud800', null, 'malformed'],
  ])(
    'that speaks of %s (declared %s) is, for https://a.example/mcp, %s',
    (resource, declared, kind) => {
      const document = { resource, authorization_servers: ['https://as.example'] };
      expect(readResourceMetadata(document, 'https://a.example/mcp', declared).kind).toBe(kind);
    },
  );

  test('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (document) => {
        readResourceMetadata(document, 'https://a.example/mcp', null);
        readIssuerMetadata(document, 'https://as.example');
      }),
    );
  });
});

describe('the metadata of an issuer', () => {
  test('is looked for in every place the standards name', () => {
    expect(issuerMetadataAddresses('https://as.example')).toEqual([
      'https://as.example/.well-known/oauth-authorization-server',
      'https://as.example/.well-known/openid-configuration',
    ]);
    expect(issuerMetadataAddresses('https://as.example/tenant/')).toEqual([
      'https://as.example/.well-known/oauth-authorization-server/tenant',
      'https://as.example/.well-known/openid-configuration/tenant',
      'https://as.example/tenant/.well-known/openid-configuration',
    ]);
  });

  test.each([
    '',
    'as.example',
    'file:///x',
    'https://u:p@as.example',
    'https://as.example/?a=b',
    'https://as.example/#x',
    'https://as.example/\0',
  ])('%j is no issuer', (issuer) => expect(issuerMetadataAddresses(issuer)).toEqual([]));

  test.each([
    ['https://as.example', 'https://as.example/token', true],
    ['https://as.example/', 'https://tokens.example/', true],
    ['https://as.example/other', 'https://as.example/token', false],
    ['https://evil.example', 'https://as.example/token', false],
    ['https://as.example', 'http://as.example/token', false],
    ['https://as.example', 'https://u:p@as.example/token', false],
    ['https://as.example', '/token', false],
    ['https://as.example', 'file:///token', false],
    ['https://as.example', 'https://as.example/token\0', false],
    ['https://as.example', 'https://as.example/to\nken', false],
    ['https://as.example', 'https://as.example/token?\udc00', false],
  ])(
    'issuer %s with token endpoint %s is taken for https://as.example: %s',
    (issuer, endpoint, taken) => {
      const read = readIssuerMetadata({ issuer, token_endpoint: endpoint }, 'https://as.example');
      expect(read !== undefined).toBe(taken);
    },
  );

  test('that names an issuer which cannot be kept is not taken, whoever was asked for', () => {
    for (const issuer of ['https://as.example/\0', 'https://as.example/\ud800']) {
      const document = { issuer, token_endpoint: 'https://as.example/token' };
      expect(readIssuerMetadata(document, issuer)).toBeUndefined();
    }
  });

  test.each([
    [false, undefined, 'none'],
    [false, ['client_secret_basic'], 'none'],
    [true, undefined, 'client_secret_basic'],
    [true, [], 'client_secret_basic'],
    [true, ['client_secret_post'], 'client_secret_post'],
    [true, ['client_secret_post', 'client_secret_basic'], 'client_secret_basic'],
    [true, ['none'], 'none'],
    [true, ['private_key_jwt'], 'client_secret_post'],
  ])(
    'a client (secret: %s) of an issuer that takes %j authenticates by %s',
    (secret, supported, way) => {
      expect(clientAuthentication(secret, supported)).toBe(way);
    },
  );
});
