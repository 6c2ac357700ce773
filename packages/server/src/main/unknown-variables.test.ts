import { expect, test } from 'vitest';
import { resolveSettings } from './settings.ts';
import { unknownVariables } from './unknown-variables.ts';

const warningsFor = (environment: Record<string, string>) =>
  unknownVariables(environment, resolveSettings({}, {}).settings);

test('a variable that is no setting is told, with the nearest that is one', () => {
  expect(warningsFor({ PROOFMARK_CREDIT_PER_DAY: '5' })).toEqual([
    'PROOFMARK_CREDIT_PER_DAY is not a setting and has no effect; did you mean PROOFMARK_CREDITS_PER_DAY?',
  ]);
  expect(warningsFor({ PROOFMARK_WHATEVER_ELSE: '5' })).toEqual([
    'PROOFMARK_WHATEVER_ELSE is not a setting and has no effect.',
  ]);
});

test('settings, what commands read, keys of model providers and foreign variables are not', () => {
  const environment = { PROOFMARK_PORT: '1', PROOFMARK_URL: 'x', PROOFMARK_CONFIG: 'x', PATH: '' };
  expect(warningsFor(environment)).toEqual([]);
  const provider = { name: 'a', kind: 'openai', models: [], keyVariable: 'PROOFMARK_KEY_OF_A' };
  const modelProviders = [provider] as never;
  expect(unknownVariables({ PROOFMARK_KEY_OF_A: 'sk' }, { modelProviders })).toEqual([]);
});
