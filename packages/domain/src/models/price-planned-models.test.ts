import { expect, test } from 'vitest';
import { lexicalModelId } from '../clients/lexical-model.ts';
import type { PlannedCase } from '../suites/planned-case.ts';
import type { ChosenModel, ModelOffer } from './choose-model.ts';
import { pricePlannedModels, unpricedModels } from './price-planned-models.ts';

const offer: ModelOffer = {
  hosted: [
    { id: 'proofmark/lexical-1', provider: 'proofmark' },
    { id: 'acme/large', provider: 'acme' },
    { id: 'acme/small', provider: 'acme' },
  ],
  providers: ['acme'],
};
const stated = { inputPerMillion: 2, outputPerMillion: 8 };
const priceOf = ({ name }: ChosenModel) => (name === 'large' ? stated : undefined);

function casesOn(...models: { model: string; provider?: string }[]) {
  return models.map(
    (one) => ({ variants: [{ ...one, repetitions: 1 }] }) as unknown as PlannedCase,
  );
}

test('hosted models have the price that is stated, under each of their names; the lexical model is free', () => {
  const large = { model: 'acme/large', provider: 'acme' };
  const apart = { model: 'large', provider: 'acme' };
  const lexical = { model: 'proofmark/lexical-1', provider: 'proofmark' };
  const cases = casesOn(large, apart, { model: 'acme/small' }, lexical, large);
  expect(pricePlannedModels(cases, offer, [], priceOf)).toEqual([
    { ...large, ...stated },
    { ...apart, ...stated },
    { ...lexical, inputPerMillion: 0, outputPerMillion: 0 },
  ]);
});

test('a model on the key of the caller has no price', () => {
  const cases = casesOn({ model: 'large', provider: 'acme' });
  expect(pricePlannedModels(cases, offer, ['acme'], priceOf)).toEqual([]);
});

test('only what the operator pays for needs a price of the operator', () => {
  const hosted = [
    { id: lexicalModelId, provider: 'proofmark' },
    { id: 'local/priced', provider: 'local' },
    { id: 'local/unpriced', provider: 'local' },
    { id: 'own/model', provider: 'own' },
  ];
  const models = {
    isPaidByOperator: (model: ChosenModel) => model.hosted && model.provider !== 'own',
    priceOf: (model: ChosenModel) => (model.name === 'priced' ? {} : undefined),
  };
  const choices = [...hosted.map(({ id }) => ({ model: id })), { model: 'openai/mine' }];
  const offer = { hosted, providers: ['local', 'own', 'openai'] };
  expect(unpricedModels([...choices, ...choices], offer, ['openai'], models)).toEqual([
    'local/unpriced',
  ]);
});
