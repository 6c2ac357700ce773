import { expect, test } from 'vitest';
import { jsonHeaders, securityHeaders, securityHeadersFor } from './security-headers.ts';

test.each([undefined, 'http://proofmark.example', 'https://proofmark.example'])(
  'an answer that holds JSON has every header of the installation at %s',
  (publicUrl) => {
    const security = securityHeadersFor(publicUrl);
    expect(jsonHeaders(security, 'req_1')).toEqual({
      ...security,
      'content-type': 'application/json',
      'x-request-id': 'req_1',
    });
    expect(security).toMatchObject(securityHeaders);
    expect('strict-transport-security' in security).toBe(publicUrl?.startsWith('https:') ?? false);
  },
);
