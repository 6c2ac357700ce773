import { expect, test } from 'vitest';
import type { ModelChoice } from '../suites/eval-case.ts';
import { chooseModel, type ModelOffer } from './choose-model.ts';

const offer: ModelOffer = {
  hosted: [{ id: 'acme/large', provider: 'acme' }],
  providers: ['acme', 'other'],
};
const hosted = { hosted: true, id: 'acme/large', provider: 'acme', name: 'large' };
const own = (name: string, provider = 'acme') => ({ hosted: false, provider, name });

test('an id that is hosted as written runs on the key of the operator, also beside a key of the caller', () => {
  for (const keyed of [[], ['acme']]) {
    expect(chooseModel({ model: 'acme/large' }, offer, keyed)).toEqual(hosted);
    expect(chooseModel({ model: 'acme/large', provider: 'acme' }, offer, keyed)).toEqual(hosted);
  }
});

test('any other id runs on the key of the caller', () => {
  expect(chooseModel({ model: 'acme/small' }, offer, ['acme'])).toEqual(own('small'));
  expect(chooseModel({ model: 'large', provider: 'acme' }, offer, ['acme'])).toEqual(own('large'));
  expect(chooseModel({ model: 'other/x' }, offer, ['other'])).toEqual(own('x', 'other'));
});

test('without a key, provider and name together are the hosted model, and all else is refused', () => {
  expect(chooseModel({ model: 'large', provider: 'acme' }, offer, [])).toEqual(hosted);
  expect(chooseModel({ model: 'acme/small' }, offer, [])).toMatchObject({
    refusal: { details: { reason: 'MODEL_NOT_AVAILABLE', hostedModels: ['acme/large'] } },
  });
});

const none = { hosted: [], providers: [] };
const many = {
  hosted: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ id: `p/${name}`, provider: 'p' })),
  providers: ['openai'],
};

test.each<[string, ModelOffer, ModelChoice, string]>([
  [
    'a key',
    many,
    { model: 'openai/x' },
    'There is no key for the model "openai/x"; send one in modelApiKeys, ask the operator to configure openai, or choose one of p/a, p/b, p/c, p/d, p/e and 2 more.',
  ],
  [
    'another name, where the provider takes no key',
    { ...offer, providers: [] },
    { model: 'acme/larg' },
    'There is no model "acme/larg"; choose acme/large.',
  ],
  [
    'a provider',
    offer,
    { model: 'none/x' },
    'There is no provider "none" for the model "none/x"; ask the operator to configure it, or choose acme/large.',
  ],
  [
    'the name of the provider',
    none,
    { model: 'x' },
    'There is no model "x"; name its provider too, as in openai/x, or choose another.',
  ],
])(
  'a model that cannot be run is refused with what is missing: %s',
  (_what, given, choice, message) => {
    expect(chooseModel(choice, given, [])).toMatchObject({ refusal: { message } });
  },
);
