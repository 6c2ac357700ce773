import type { ModelProviderEntry } from '@proofmark/contract';
import { expect, test } from 'vitest';
import { providerDraftOf, requestOf } from './provider-draft.ts';

const entry: ModelProviderEntry = {
  name: 'acme',
  kind: 'openai-compatible',
  source: 'organization',
  isInForce: true,
  baseUrl: 'https://models.example/***/v1',
  hasKey: true,
  requestsAtOnce: 3,
  revision: 4,
  models: [
    { name: 'large', inputPerMillion: 0.5, outputPerMillion: 8 },
    { name: 'vendor/small', images: true },
    { name: 'plain', inputPerMillion: 0, outputPerMillion: 0, images: false },
  ],
};

test('what was read and comes back unchanged says the same, and nothing of the key', () => {
  const { kind, baseUrl, models, requestsAtOnce } = entry;
  expect(requestOf(providerDraftOf(entry), entry)).toEqual({
    body: { kind, baseUrl, models, requestsAtOnce, expectedRevision: 4 },
  });
});

test('a new one expects that there is none; what is left empty is null', () => {
  const draft = { ...providerDraftOf(undefined), apiKey: ' k ', models: '\n a \n' };
  expect(requestOf(draft, undefined)).toEqual({
    body: {
      kind: 'openai',
      baseUrl: null,
      apiKey: 'k',
      models: [{ name: 'a' }],
      requestsAtOnce: null,
      expectedRevision: 0,
    },
  });
});

test('a key is taken away only when that is asked', () => {
  const read = requestOf({ ...providerDraftOf(entry), removesKey: true }, entry);
  expect(read).toMatchObject({ body: { apiKey: null } });
});

test.each([', 1, 2', 'a, 1', 'a, 1, 2, 3', 'a, one, two', 'a, -1, 2', 'a, 1, 2, pictures'])(
  'the line %j is told, not passed over',
  (line) => {
    const draft = { ...providerDraftOf(undefined), models: `fine\n${line}` };
    expect(requestOf(draft, undefined)).toEqual({ badLine: line.trim() });
  },
);
