import { anyConfig } from '@proofmark/harness/any-client-config.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalClientConfig, configIdOf } from './canonical-client-config.ts';
import type { ClientConfig } from './client-config.ts';

const least: ClientConfig = { modelId: 'a/b', clientCapabilities: {}, hostContext: {} };
const textOf = (changes: Partial<ClientConfig> = {}) =>
  canonicalClientConfig({ ...least, ...changes }).text;

describe('one spelling for one client config', () => {
  test('the order of keys and ids, and repeated ids, make no difference', () => {
    fc.assert(
      fc.property(anyConfig, (config) => {
        expect(canonicalClientConfig(shuffled(config)).text).toBe(
          canonicalClientConfig(config).text,
        );
      }),
    );
  });

  test('the spelled config spells the same again', () => {
    fc.assert(
      fc.property(anyConfig, (config) => {
        const once = canonicalClientConfig(config);
        expect(canonicalClientConfig(once.config)).toEqual(once);
      }),
    );
  });

  test('two configs share a text only when they say the same', () => {
    fc.assert(
      fc.property(anyConfig, anyConfig, (one, other) => {
        const isSame = canonicalClientConfig(one).text === canonicalClientConfig(other).text;
        if (isSame) expect(meaning(one)).toEqual(meaning(other));
        else expect(meaning(one)).not.toEqual(meaning(other));
      }),
    );
  });

  test('another value in any one field, or none, is a change', () => {
    fc.assert(
      fc.property(anyConfig, fc.constantFrom(...changes), (config, [field, value]) => {
        const { [field]: before, ...without } = config;
        const changed = canonicalClientConfig({ ...config, [field]: value } as ClientConfig);
        if (before !== value) expect(changed.text).not.toBe(canonicalClientConfig(config).text);
        expect(changed.text).not.toBe(canonicalClientConfig(without as ClientConfig).text);
      }),
    );
  });

  test('the text is this, to the byte', () => {
    expect(
      textOf({
        mcpProfile: { paginationTraversal: 'full', profileVersion: 1 },
        serverIds: ['b', 'a', 'b'],
        systemPrompt: 'Help.',
        hostContext: { theme: 'dark', locales: ['fr', 'de'] },
        connectionDefaults: { requestTimeout: 5, headers: { b: '1', a: '2' } },
      }),
    ).toBe(
      '{"schemaVersion":2,"modelId":"a/b","systemPrompt":"Help.","connectionDefaults":' +
        '{"headers":{"a":"2","b":"1"},"requestTimeout":5},"clientCapabilities":{},"hostContext":' +
        '{"locales":["fr","de"],"theme":"dark"},"serverIds":["a","b"],"optionalServerIds":[],' +
        '"mcpProfile":{"paginationTraversal":"full","profileVersion":1}}',
    );
  });

  test('the fields come in this order', () => {
    const everything = fieldNames.map((field) => [
      field,
      changes.find(([name]) => name === field)?.[1],
    ]);
    const { text } = canonicalClientConfig(Object.fromEntries(everything) as ClientConfig);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['schemaVersion', ...fieldNames]);
  });

  test.each<[string, Partial<ClientConfig>, Partial<ClientConfig>]>([
    ['absent servers are none', {}, { serverIds: [], optionalServerIds: [] }],
    ['no built-in tools are absent', {}, { builtInToolIds: [] }],
    [
      'all visible skills are the absence of a choice',
      {},
      { skillSelection: { mode: 'all-visible' } },
    ],
    ['no computer is absent', {}, { computer: null }],
    [
      'built-in tools are a set',
      { builtInToolIds: ['b', 'a'] },
      { builtInToolIds: ['a', 'b', 'a'] },
    ],
  ])('%s', (_title, one, other) => {
    expect(textOf(one)).toBe(textOf(other));
  });

  test.each<[string, Partial<ClientConfig>, Partial<ClientConfig>]>([
    ['an explicit false', {}, { requireToolApproval: false }],
    ['an empty object', {}, { chatUiOverride: {} }],
    ['empty defaults', {}, { connectionDefaults: {} }],
    ['an empty prompt', {}, { systemPrompt: '' }],
    ['an explicit choice of no skills', {}, { skillSelection: { mode: 'explicit', skillIds: [] } }],
    ['a required server made optional', { serverIds: ['a'] }, { optionalServerIds: ['a'] }],
    [
      'the order of a list inside',
      { oauthProfile: { m: [1, 2] } },
      { oauthProfile: { m: [2, 1] } },
    ],
  ])('%s counts', (_title, one, other) => {
    expect(textOf(one)).not.toBe(textOf(other));
  });
});

test('the id of a config is made from the hash of its text', () => {
  expect(configIdOf('text', (text) => `hash-of-${text}`)).toBe('cfg_hash-of-text');
});

const fieldNames: (keyof ClientConfig)[] = [
  'hostStyle',
  'modelId',
  'systemPrompt',
  'temperature',
  'requireToolApproval',
  'parallelToolCalls',
  'connectionDefaults',
  'clientCapabilities',
  'hostContext',
  'serverIds',
  'optionalServerIds',
  'progressiveToolDiscovery',
  'respectToolVisibility',
  'harness',
  'computer',
  'builtInToolIds',
  'skillSelection',
  'modelVisibleMcpToolResults',
  'mcpToolResultImageRendering',
  'hostCapabilitiesOverride',
  'chatUiOverride',
  'mcpProfile',
  'oauthProfile',
  'serverConnectionOverrides',
];

const changes: [keyof ClientConfig, unknown][] = [
  ['hostStyle', 'other'],
  ['modelId', 'other/model'],
  ['systemPrompt', 'Other.'],
  ['temperature', 1.5],
  ['requireToolApproval', true],
  ['parallelToolCalls', true],
  ['connectionDefaults', { requestTimeout: 600_000, headers: { 'X-Other': '1' } }],
  ['clientCapabilities', { other: 1 }],
  ['hostContext', { other: 1 }],
  ['serverIds', ['srv_other']],
  ['optionalServerIds', ['srv_other']],
  ['progressiveToolDiscovery', false],
  ['respectToolVisibility', false],
  ['harness', 'codex'],
  ['computer', { kind: 'personal', workdir: '/other' }],
  ['builtInToolIds', ['other']],
  ['skillSelection', { mode: 'explicit', skillIds: ['other'] }],
  ['modelVisibleMcpToolResults', {}],
  ['mcpToolResultImageRendering', {}],
  ['hostCapabilitiesOverride', { other: 1 }],
  ['chatUiOverride', { other: 1 }],
  ['mcpProfile', { profileVersion: 1, mrtrSupport: 'none' }],
  ['oauthProfile', { other: [] }],
  ['serverConnectionOverrides', { srv_other: {} }],
];

function meaning(config: ClientConfig): unknown {
  const { skillSelection, computer, builtInToolIds = [], ...rest } = config;
  return {
    ...rest,
    serverIds: new Set(config.serverIds),
    optionalServerIds: new Set(config.optionalServerIds),
    builtInToolIds: new Set(builtInToolIds),
    computer: computer ?? 'none',
    skills: skillSelection?.mode === 'explicit' ? new Set(skillSelection.skillIds) : 'all',
  };
}

function shuffled(config: ClientConfig): ClientConfig {
  const turned = withKeysReversed(config) as ClientConfig;
  const set = (ids: readonly string[]) => [...ids, ...ids.slice(0, 1)].reverse();
  if (turned.serverIds) turned.serverIds = set(turned.serverIds);
  if (turned.optionalServerIds) turned.optionalServerIds = set(turned.optionalServerIds);
  if (turned.builtInToolIds) turned.builtInToolIds = set(turned.builtInToolIds);
  if (turned.skillSelection?.mode === 'explicit') {
    turned.skillSelection.skillIds = set(turned.skillSelection.skillIds);
  }
  return turned;
}

function withKeysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, item]) => [key, withKeysReversed(item)]));
}
