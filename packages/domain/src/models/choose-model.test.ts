import { expect, test } from 'vitest';
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
