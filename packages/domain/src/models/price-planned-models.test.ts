import { expect, test } from 'vitest';
import type { PlannedCase } from '../suites/planned-case.ts';
import type { ChosenModel, ModelOffer } from './choose-model.ts';
import { pricePlannedModels } from './price-planned-models.ts';

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
