import { describe, expect, test } from 'vitest';
import type { ClientConfig } from '../clients/client-config.ts';
import {
  actsWithCredentials,
  resolveForVisitors,
  type ScenarioParts,
  unsupportedOf,
} from './scenario-environment.ts';

const config: ClientConfig = {
  modelId: 'a/b',
  clientCapabilities: {},
  hostContext: {},
  serverIds: ['srv_1'],
};

function parts(more: Partial<ScenarioParts> = {}): ScenarioParts {
  return {
    environment: {
      id: 'env_1',
      name: 'Own',
      hostId: 'cli_1',
      serverAttachmentId: null,
      modelId: null,
      skillSelection: null,
      pluginVersionIds: null,
      sandboxImageId: null,
      revision: 1,
      archivedAt: null,
    },
    client: { id: 'cli_1', name: 'Client', configId: 'cfg_1', config },
    serverAttachment: undefined,
    servers: [
      { id: 'srv_1', name: 'Books', transportType: 'http' },
      { id: 'srv_2', name: 'Shell', transportType: 'stdio' },
    ],
    pluginVersions: [],
    skills: [],
    ...more,
  };
}

function codeOf(given: ScenarioParts): unknown {
  const outcome = resolveForVisitors(given);
  return 'refusal' in outcome ? outcome.refusal.details?.['code'] : 'resolved';
}

describe('what visitors are given', () => {
  test('is what resolves; programs that are not in the closed set do not matter', () => {
    expect(codeOf(parts())).toBe('resolved');
  });

  test('is no program on the host', () => {
    const client = { ...parts().client, config: { ...config, serverIds: ['srv_1', 'srv_2'] } };
    expect(codeOf(parts({ client: client as ScenarioParts['client'] }))).toBe(
      'ENV_SERVER_NOT_HTTP',
    );
  });

  test('is nothing that cannot be read or resolved', () => {
    expect(codeOf(parts({ isUnreadable: true }))).toBe('ENV_UNREADABLE');
    expect(codeOf(parts({ client: undefined }))).toBe('ENV_HOST_NOT_FOUND');
    expect(codeOf(parts({ servers: [] }))).toBe('ENV_SERVER_NOT_FOUND');
  });
});

test('what nothing here plays is told', () => {
  expect(unsupportedOf(config)).toEqual([]);
  expect(unsupportedOf({ ...config, computer: null })).toEqual([]);
  expect(unsupportedOf({ ...config, computer: { kind: 'personal' }, harness: 'codex' })).toEqual([
    ...['computer', 'codex'],
  ]);
});

test.each<[string, Partial<Parameters<typeof actsWithCredentials>[0]>, object, boolean]>([
  ['nothing', {}, {}, false],
  ['an address without a secret', { url: 'https://books.example/mcp' }, {}, false],
  ['a key in the address', { url: 'https://books.example/mcp?key=abc' }, {}, true],
  ['headers of the server', { headerNames: ['X-Key'] }, {}, true],
  ['imported tokens', { hasGrant: true }, {}, true],
  ['headers of the client', {}, { connectionDefaults: { headers: { a: 'b' } } }, true],
  ['empty headers', {}, { connectionDefaults: { headers: {} } }, false],
  [
    'headers of the client for this server',
    {},
    { serverConnectionOverrides: { srv_1: { headersOverride: { a: 'b' } } } },
    true,
  ],
  [
    'headers of the client for another server',
    {},
    { serverConnectionOverrides: { srv_2: { headersOverride: { a: 'b' } } } },
    false,
  ],
])('with %s', (_, server, more, expected) => {
  const saved = { id: 'srv_1', url: null, headerNames: [], hasGrant: false, ...server };
  expect(actsWithCredentials(saved, { ...config, ...more })).toBe(expected);
});
