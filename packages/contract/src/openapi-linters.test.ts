import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.ts';

/** On a busy machine, the linters take seconds for a document this large. */
const lintTimeoutMs = 60_000;
const source = JSON.stringify(openApiDocument(), null, 2);

test(
  'the document passes the recommended rules of redocly without error or warning',
  async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    expect(problems.map((problem) => `${problem.ruleId}: ${problem.message}`)).toEqual([]);
  },
  lintTimeoutMs,
);

test('the document passes the OpenAPI rules of spectral without error or warning', {
  timeout: lintTimeoutMs,
}, async () => {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [oas as never], rules: {} });
  const problems = await spectral.run(source);
  expect(problems.map((problem) => `${String(problem.code)}: ${problem.message}`)).toEqual([]);
});

test(
  'a document with a fault does not pass',
  async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const faulty = source.replace('"operationId": "getMe",', '').replace('"bearer"', '"nonsense"');
    const problems = await lintFromString({
      source: faulty.replace('"summary": "Read the account of the API key",', ''),
      absoluteRef: 'openapi.json',
      config,
    });
    expect(problems.length).toBeGreaterThan(0);
  },
  lintTimeoutMs,
);
