import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClientConfig } from './client-config.ts';
import { connectionSettings } from './connection-settings.ts';

const least: ClientConfig = { modelId: 'a/b', clientCapabilities: {}, hostContext: {} };
const server = { id: 'srv', headers: { Authorization: 'saved', 'X-Saved': '1' }, timeoutMs: 7 };
const settings = (changes: Partial<ClientConfig>) =>
  connectionSettings({ ...least, ...changes }, server);

test('a config that says nothing leaves the saved server as it is', () => {
  expect(settings({})).toEqual({
    headers: server.headers,
    timeoutMs: 7,
    clientCapabilities: {},
    paginationTraversal: 'full',
  });
  expect(connectionSettings(least, { ...server, timeoutMs: null })).not.toHaveProperty('timeoutMs');
});

test('what a config says about another server has no effect', () => {
  const other = { headersOverride: { 'X-A': '1' }, requestTimeoutOverride: 1 };
  expect(settings({ serverConnectionOverrides: { other } })).toEqual(settings({}));
});

describe('headers', () => {
  test('the nearest to the connection wins, written as it was there, in any case', () => {
    const names = fc.constantFrom('X-A', 'x-a', 'X-B', 'x-B');
    const layer = fc.dictionary(names, fc.constantFrom('1', '2'), { maxKeys: 2 });
    fc.assert(
      fc.property(layer, layer, layer, (saved, defaults, override) => {
        const { headers } = connectionSettings(
          {
            ...least,
            connectionDefaults: { headers: defaults },
            serverConnectionOverrides: { srv: { headersOverride: override } },
          },
          { ...server, headers: saved },
        );
        const lowered = Object.keys(headers).map((name) => name.toLowerCase());
        expect(new Set(lowered).size).toBe(lowered.length);
        for (const wanted of ['x-a', 'x-b']) {
          const ordered = [override, defaults, saved].map((one) =>
            Object.entries(one).findLast(([name]) => name.toLowerCase() === wanted),
          );
          const winner = ordered.find((entry) => entry !== undefined);
          const found = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted);
          expect(found).toEqual(winner);
        }
      }),
    );
  });

  test('what the client does not mention stays as it was saved', () => {
    expect(
      settings({ connectionDefaults: { headers: { authorization: 'mine' } } }).headers,
    ).toEqual({
      authorization: 'mine',
      'X-Saved': '1',
    });
  });
});

test.each<[string, Partial<ClientConfig>, number]>([
  [
    'the override',
    {
      connectionDefaults: { requestTimeout: 5 },
      serverConnectionOverrides: { srv: { requestTimeoutOverride: 3 } },
    },
    3,
  ],
  ['then the default of the client', { connectionDefaults: { requestTimeout: 5 } }, 5],
  ['then the saved server', { connectionDefaults: {} }, 7],
])('the deadline is that of %s', (_title, changes, timeoutMs) => {
  expect(settings(changes).timeoutMs).toBe(timeoutMs);
});

test.each<[string | undefined, string | undefined, string | undefined]>([
  [undefined, undefined, undefined],
  ['auto', undefined, undefined],
  ['2025-06-18', undefined, '2025-06-18'],
  ['2025-06-18', '2025-11-25', '2025-11-25'],
  ['2025-06-18', 'auto', undefined],
  [undefined, '2025-11-25', '2025-11-25'],
])('a profile of %s and an override of %s speak %s', (profile, override, version) => {
  const { protocolVersion } = settings({
    mcpProfile: { profileVersion: 1, mcpProtocolVersion: profile },
    serverConnectionOverrides: { srv: { mcpProtocolVersionOverride: override } },
  });
  expect(protocolVersion).toBe(version);
});

test('a client declares what its config declares, and turns as many pages as it says', () => {
  expect(
    settings({
      clientCapabilities: { roots: {} },
      mcpProfile: { profileVersion: 1, paginationTraversal: 'firstPageOnly' },
    }),
  ).toMatchObject({ clientCapabilities: { roots: {} }, paginationTraversal: 'firstPageOnly' });
});
