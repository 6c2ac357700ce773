import { expect, test } from 'vitest';
import { readProviderFlags } from './provider-flags.ts';

test('says what the flags say and nothing of what they leave out', () => {
  expect(readProviderFlags({ key: true }, {})).toEqual({});
  const flags = {
    kind: 'openai',
    baseUrl: 'https://models.example/v1',
    keyVariable: 'KEY',
    key: true,
    model: ['large=2,0.5', 'llama3:8b', 'vendor/x=1,2'],
    images: ['llama3:8b'],
    requestsAtOnce: '4',
  };
  expect(readProviderFlags(flags, { KEY: ' sk-1 ' })).toEqual({
    kind: 'openai',
    baseUrl: 'https://models.example/v1',
    apiKey: 'sk-1',
    requestsAtOnce: 4,
    models: [
      { name: 'large', inputPerMillion: 2, outputPerMillion: 0.5 },
      { name: 'llama3:8b', images: true },
      { name: 'vendor/x', inputPerMillion: 1, outputPerMillion: 2 },
    ],
  });
});

test('takes away what is said to be none', () => {
  const flags = { key: false, baseUrl: 'none', requestsAtOnce: 'none' };
  expect(readProviderFlags(flags, {})).toEqual({
    apiKey: null,
    baseUrl: null,
    requestsAtOnce: null,
  });
});

test('a variable that is not set is refused without repeating what may be the key itself', () => {
  const read = () => readProviderFlags({ keyVariable: 'sk-secret-1' }, {});
  expect(read).toThrow('never a key');
  expect(read).not.toThrow('sk-secret-1');
});

test.each([[['=1,2']], [['a=1']], [['a=x,y']], [['']]])('the models %j are refused', (model) => {
  expect(() => readProviderFlags({ model }, {})).toThrow('--model takes');
});

test('images of a model that is not named are refused', () => {
  expect(() => readProviderFlags({ images: ['a'] }, {})).toThrow('give both');
  expect(() => readProviderFlags({ model: ['b'], images: ['a'] }, {})).toThrow(
    'but no --model does',
  );
});
