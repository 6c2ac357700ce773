import { describe, expect, test } from 'vitest';
import { modelProviderKinds } from './provider-kinds.ts';
import {
  changedProviderFields,
  editProvider,
  misleadingName,
  type ProviderDefinition,
  type ProviderEdit,
  type SavedProvider,
  savedInForce,
} from './saved-provider.ts';

const stored: ProviderDefinition = {
  kind: 'openai-compatible',
  baseUrl: 'https://models.example/v1?token=secret',
  apiKey: 'sk-stored',
  models: [{ name: 'large' }],
  requestsAtOnce: null,
};
const { apiKey: _key, ...unchanged } = stored;
const edited = (change: Partial<ProviderEdit> = {}) =>
  editProvider(stored, { ...unchanged, ...change });
const keyAfter = (change: Partial<ProviderEdit>) => {
  const done = edited(change);
  return 'definition' in done ? done.definition.apiKey : done.refusal.details?.['path'];
};
const pathOf = (done: ReturnType<typeof editProvider>) =>
  'refusal' in done ? done.refusal.details?.['path'] : undefined;

describe('the key of a provider', () => {
  test('stays where nothing is said of it, goes where null is, and is replaced by another', () => {
    expect(keyAfter({})).toBe('sk-stored');
    expect(keyAfter({ apiKey: null })).toBeNull();
    expect(keyAfter({ apiKey: 'sk-other' })).toBe('sk-other');
  });

  test('never goes to another origin than it was given for', () => {
    expect(keyAfter({ baseUrl: 'https://models.example/v2' })).toBe('sk-stored');
    for (const baseUrl of [
      'https://evil.example/v1',
      'http://models.example/v1',
      'https://models.example:444/v1',
    ]) {
      expect(keyAfter({ baseUrl })).toBeNull();
      expect(keyAfter({ baseUrl, apiKey: 'sk-other' })).toBe('sk-other');
    }
    expect(keyAfter({ kind: 'openrouter', baseUrl: null, models: [] })).toBeNull();
  });

  test('holds what a header can hold', () => {
    for (const apiKey of ['a b', 'ä', 'a\nb', 'x'.repeat(4097)]) {
      expect(keyAfter({ apiKey })).toBe('body.apiKey');
    }
  });
});

describe('the address of a provider', () => {
  test('comes back as it was shown and stays; with the mask elsewhere it is refused', () => {
    const shown = 'https://models.example/v1?token=***';
    expect(edited({ baseUrl: shown })).toEqual({ definition: stored });
    expect(pathOf(edited({ baseUrl: `${shown}&more=1` }))).toBe('body.baseUrl');
  });

  test.each(['nothing', 'file:///etc', 'https://a:b@models.example/', 'https://models.example/\n'])(
    '%j is refused',
    (baseUrl) => expect(pathOf(edited({ baseUrl }))).toBe('body.baseUrl'),
  );

  test('holds no password, and the owner is told where one belongs', () => {
    const refused = edited({ baseUrl: 'https://a:b@models.example/' });
    expect(JSON.stringify(refused)).toContain('use the key instead');
  });

  test('is needed where the kind has none', () => {
    expect(pathOf(edited({ baseUrl: null }))).toBe('body.baseUrl');
  });
});

test('what is offered can run: with a key where the kind wants one, and each model once', () => {
  for (const kind of modelProviderKinds) {
    const done = editProvider(undefined, { ...unchanged, kind });
    const needsNone = kind === 'ollama' || kind === 'openai-compatible';
    expect(pathOf(done)).toBe(needsNone ? undefined : 'body.apiKey');
    expect(pathOf(editProvider(undefined, { ...unchanged, kind, models: [] }))).toBeUndefined();
  }
  const models = [{ name: 'large' }, { name: 'large' }];
  expect(pathOf(edited({ models }))).toBe('body.models');
});

test('a name that everybody knows is that provider, at its own address', () => {
  const of = (kind: ProviderDefinition['kind'], baseUrl: string | null) => ({ kind, baseUrl });
  expect(misleadingName('openai', of('openai', null))).toBeUndefined();
  expect(misleadingName('mine', of('openai', 'https://proxy.example/v1'))).toBeUndefined();
  for (const other of [of('openai', 'https://proxy.example/v1'), of('anthropic', null)]) {
    expect(misleadingName('openai', other)).toMatchObject({ details: { reason: 'KNOWN_NAME' } });
  }
});

test('which fields changed is told by their names alone', () => {
  expect(changedProviderFields(stored, stored)).toEqual([]);
  const next = { ...stored, apiKey: 'sk-other', models: [{ name: 'large', images: true }] };
  expect(changedProviderFields(stored, next)).toEqual(['apiKey', 'models']);
});

test('the word of the operator counts before that of an organization, and the file before both', () => {
  const saved = (name: string, organizationId: string | null): SavedProvider => ({
    ...stored,
    id: `${name} of ${organizationId}`,
    name,
    organizationId,
    revision: 1,
  });
  const all = [
    ...[saved('filed', null), saved('filed', 'org'), saved('both', null), saved('both', 'org')],
    ...[saved('operators', null), saved('own', 'org')],
  ];
  expect(savedInForce(['filed'], all).map(({ id }) => id)).toEqual([
    ...['both of null', 'operators of null', 'own of org'],
  ]);
});
