import { expect, test } from 'vitest';
import type { ModelOffer } from '../models/choose-model.ts';
import { inlineCasesAt } from './inline-test.ts';
import { warnOfModels } from './warn-of-models.ts';

const offer: ModelOffer = {
  hosted: [{ id: 'acme/large', provider: 'acme' }],
  providers: ['acme'],
};
const steps = [{ id: 'ask', kind: 'prompt' as const, prompt: 'When?' }];

function placesOf(suite: { model?: string; provider?: string }, ...tests: object[]): string[] {
  const stated = tests.map((one) => ({ title: 'One', steps, ...one }));
  const cases = inlineCasesAt('body.tests', stated, { model: suite.model ?? '' });
  const warnings = warnOfModels({ path: 'body.model', ...suite }, cases, offer);
  expect(new Set(warnings.map(({ code }) => code)).size).toBeLessThanOrEqual(1);
  return warnings.map(({ path, message }) => `${path}: ${message}`);
}

test('a model that is offered is not warned of, however it is stated', () => {
  expect(placesOf({ model: 'acme/large' }, { provider: 'acme', model: 'large' })).toEqual([]);
  expect(placesOf({}, {}, { models: [{ model: 'acme/large' }] })).toEqual([]);
});

test('a model that nobody has configured is named where it is stated, once', () => {
  const choose = 'ask the operator to configure it, or choose acme/large.';
  const nobody = `There is no provider "nobody" for the model "nobody/x"; ${choose}`;
  expect(placesOf({ model: 'nobody/x' }, { model: 'nobody/x' })).toEqual([`body.model: ${nobody}`]);
  expect(placesOf({ model: 'acme/large' }, {}, { model: 'nobody/x' })).toEqual([
    `body.tests[1].model: ${nobody}`,
  ]);
  const models = [{ model: 'acme/large' }, { model: 'nobody/x' }];
  expect(placesOf({}, { models })).toEqual([`body.tests[0].models[1]: ${nobody}`]);
  expect(placesOf({ model: 'large' }, { provider: 'nobody' })[1]).toMatch(
    /^body\.tests\[0\]\.provider: /,
  );
  expect(placesOf({ model: 'acme/large' }, { model: 'nobody/x', disabled: true })).toEqual([]);
});

test('at most five are named', () => {
  const tests = Array.from({ length: 9 }, (_, at) => ({ model: `nobody/${at}` }));
  expect(placesOf({ model: 'acme/large' }, ...tests)).toHaveLength(5);
});
