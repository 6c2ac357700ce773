import { describe, expect, test } from 'vitest';
import type { ClientConfig } from './client-config.ts';
import { clientConfigProblem } from './client-config-problem.ts';

const least: ClientConfig = { modelId: 'a/b', clientCapabilities: {}, hostContext: {} };

describe('a config that cannot be used is refused with the place and a sentence', () => {
  test.each<[string, Partial<ClientConfig>, string | undefined]>([
    ['the least config is fine', {}, undefined],
    [
      'an override for a required server is fine',
      { serverIds: ['a'], serverConnectionOverrides: { a: { headersOverride: { 'X-A': '1' } } } },
      undefined,
    ],
    [
      'an override for an optional server is fine',
      { optionalServerIds: ['a'], serverConnectionOverrides: { a: {} } },
      undefined,
    ],
    [
      'an override for a server that is not attached',
      { serverIds: ['a'], serverConnectionOverrides: { b: {} } },
      'serverConnectionOverrides.b',
    ],
    [
      'a server both required and optional',
      { serverIds: ['a', 'b'], optionalServerIds: ['b'] },
      'optionalServerIds',
    ],
    [
      'a default header we set ourselves',
      { connectionDefaults: { headers: { Host: 'x' } } },
      'connectionDefaults.headers',
    ],
    [
      'a header value that breaks the line',
      { connectionDefaults: { headers: { 'X-A': 'secret\r\nX-B: 1' } } },
      'connectionDefaults.headers',
    ],
    [
      'a bad header for one server',
      { serverIds: ['a'], serverConnectionOverrides: { a: { headersOverride: { 'X A': '1' } } } },
      'serverConnectionOverrides.a.headersOverride',
    ],
    ...[
      'Authorization',
      'proxy-authorization',
      'Cookie',
      'X-API-Key',
      'apikey',
      'X-Auth-Token',
      'X_Access_Key',
      'x-auth',
    ].map((name): [string, Partial<ClientConfig>, string] => [
      `a credential as ${name}`,
      { connectionDefaults: { headers: { [name]: 'secret' } } },
      'connectionDefaults.headers',
    ]),
    [
      'headers that only sound alike',
      { connectionDefaults: { headers: { 'X-Author': '1', 'X-Tokens-Used': '2', 'X-Key': '3' } } },
      undefined,
    ],
    [
      'the same header in two cases',
      { connectionDefaults: { headers: { 'X-A': '1', 'x-a': '2' } } },
      'connectionDefaults.headers',
    ],
  ])('%s', (_title, changes, path) => {
    const problem = clientConfigProblem({ ...least, ...changes });
    expect(problem?.path).toBe(path);
    if (problem === undefined) return;
    expect(problem.message).toMatch(/\.$/);
    expect(problem.message).not.toContain('secret');
  });
});
