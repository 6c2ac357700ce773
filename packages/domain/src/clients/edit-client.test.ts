import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalClientConfig } from './canonical-client-config.ts';
import type { ClientConfig } from './client-config.ts';
import { type ClientEdit, editClient, settableClientFields } from './edit-client.ts';

const config: ClientConfig = {
  modelId: 'a/b',
  systemPrompt: 'Help.',
  requireToolApproval: false,
  connectionDefaults: { headers: { 'X-A': '1' }, requestTimeout: 5 },
  clientCapabilities: { roots: {} },
  hostContext: {},
  serverIds: ['b', 'a'],
  serverConnectionOverrides: { a: {} },
};
const current = { name: 'Desk', config, configId: 'cfg_1' };
const impact = { liveEnvironmentCount: 1, scenarioAttachmentCount: 0, activeLegacyJourneyCount: 0 };
const edited = (edit: ClientEdit) => editClient(current, edit, impact);
const canonical = (changes: Partial<ClientConfig>) =>
  canonicalClientConfig({ ...config, ...changes }).config;

describe('what was last read must still hold', () => {
  test.each<[string, ClientEdit, Record<string, unknown>]>([
    [
      'the config',
      { set: { modelId: 'c/d' }, expectedConfigId: 'cfg_0' },
      { currentConfigId: 'cfg_1' },
    ],
    ['the name', { name: 'Chair', expectedName: 'desk' }, { currentName: 'Desk' }],
    [
      'what depends on it',
      { name: 'Chair', expectedImpact: { ...impact, liveEnvironmentCount: 2 } },
      { currentImpact: impact },
    ],
    [
      'even when nothing would change',
      { name: 'Desk', expectedName: 'x' },
      { currentName: 'Desk' },
    ],
    [
      'the config, when only the name is edited',
      { name: 'Chair', expectedName: 'Desk', expectedConfigId: 'cfg_0' },
      { currentConfigId: 'cfg_1' },
    ],
  ])('%s', (_title, edit, details) => {
    expect(edited(edit)).toMatchObject({ refusal: { code: 'CONFLICT', details } });
  });

  test('the impact is the same whatever the order of its fields', () => {
    const expectedImpact = Object.fromEntries(Object.entries(impact).reverse()) as typeof impact;
    expect(edited({ name: 'Chair', expectedImpact })).toEqual({ name: 'Chair' });
  });
});

describe('an edit that changes nothing writes nothing', () => {
  test.each<[string, ClientEdit]>([
    ['the same name with spaces around it', { name: ' Desk ', expectedName: ' Desk' }],
    ['the same config in another order', { config: { ...config, serverIds: ['a', 'b', 'b'] } }],
    ['a field set to what it is', { set: { systemPrompt: 'Help.' } }],
    ['a field cleared that was absent', { set: { harness: null, temperature: null } }],
    ['a field set to what its absence says', { set: { skillSelection: { mode: 'all-visible' } } }],
    ['a field that is not there', { set: { systemPrompt: undefined } }],
  ])('%s', (_title, edit) => {
    expect(edited(edit)).toEqual({ unchanged: true });
  });
});

describe('an edit writes what it changes and no more', () => {
  test.each<[string, ClientEdit, unknown]>([
    ['a name', { name: ' Chair ' }, { name: 'Chair' }],
    ['a name in another case', { name: 'desk' }, { name: 'desk' }],
    ['a model', { set: { modelId: ' c/d ' } }, { config: canonical({ modelId: 'c/d' }) }],
    [
      'an object is replaced whole',
      { set: { connectionDefaults: { requestTimeout: 9 } } },
      { config: canonical({ connectionDefaults: { requestTimeout: 9 } }) },
    ],
    [
      'null clears',
      { set: { connectionDefaults: null, systemPrompt: null } },
      { config: canonical({ connectionDefaults: undefined, systemPrompt: undefined }) },
    ],
    [
      'a cleared flag is absent, not false',
      { set: { requireToolApproval: null } },
      { config: canonical({ requireToolApproval: undefined }) },
    ],
    [
      'the name alone where the config stays',
      { name: 'Chair', set: { systemPrompt: 'Help.' } },
      { name: 'Chair' },
    ],
    [
      'a whole config leaves nothing of the old one',
      { config: { modelId: 'x/y', clientCapabilities: {}, hostContext: {} } },
      {
        config: {
          modelId: 'x/y',
          clientCapabilities: {},
          hostContext: {},
          serverIds: [],
          optionalServerIds: [],
        },
      },
    ],
  ])('%s', (_title, edit, outcome) => {
    expect(edited(edit)).toEqual(outcome);
  });

  test('setting any fields to null and then back gives the first config', () => {
    const some = fc.subarray(settableClientFields.filter((field) => field !== 'modelId'));
    fc.assert(
      fc.property(some, (fields) => {
        const cleared = edited({ set: Object.fromEntries(fields.map((field) => [field, null])) });
        const next = 'config' in cleared && cleared.config ? cleared.config : config;
        const back = editClient(
          { ...current, config: next },
          { set: Object.fromEntries(fields.map((field) => [field, config[field]])) },
          impact,
        );
        const last = 'config' in back && back.config ? back.config : next;
        expect(canonicalClientConfig(last)).toEqual(canonicalClientConfig(config));
      }),
    );
  });
});

describe('an edit that would leave no usable config is refused', () => {
  test.each<[string, ClientEdit, string]>([
    ['the model cannot be cleared', { set: { modelId: null } }, 'set.modelId'],
    ['nor made blank', { set: { modelId: ' ' } }, 'set.modelId'],
    ['servers are not set by name', { set: { serverIds: [] } }, 'set.serverIds'],
    ['nor is anything unknown', { set: { colour: 'red' } }, 'set.colour'],
    ['a value of the wrong kind', { set: { temperature: 'hot' } }, 'set.temperature'],
    [
      'an override without its server',
      { config: { ...config, serverIds: ['b'] } },
      'config.serverConnectionOverrides.a',
    ],
  ])('%s', (_title, edit, path) => {
    expect(edited(edit)).toMatchObject({
      refusal: { code: 'VALIDATION_ERROR', details: { path } },
    });
  });

  test('but first of all as stale, when it is', () => {
    expect(edited({ set: { modelId: null }, expectedConfigId: 'cfg_0' })).toMatchObject({
      refusal: { code: 'CONFLICT' },
    });
  });
});
