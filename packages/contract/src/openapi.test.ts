import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.ts';
import { allOperations } from './operations.ts';

const document = openApiDocument();
const source = JSON.stringify(document, null, 2);

test('the document passes the recommended rules of redocly without error or warning', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  expect(problems.map((problem) => `${problem.ruleId}: ${problem.message}`)).toEqual([]);
});

test('the document passes the OpenAPI rules of spectral without error or warning', async () => {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [oas as never], rules: {} });
  const problems = await spectral.run(source);
  expect(problems.map((problem) => `${String(problem.code)}: ${problem.message}`)).toEqual([]);
});

test('a document with a fault does not pass', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const faulty = source.replace('"operationId": "getMe",', '').replace('"bearer"', '"nonsense"');
  const problems = await lintFromString({
    source: faulty.replace('"summary": "Read the account behind the key",', ''),
    absoluteRef: 'openapi.json',
    config,
  });
  expect(problems.length).toBeGreaterThan(0);
});

test('every operation of the public surface is in the document, and none of the console’s', () => {
  const paths = document['paths'] as Record<string, Record<string, { operationId: string }>>;
  const named = Object.values(paths).flatMap((item) =>
    Object.values(item).map((o) => o.operationId),
  );
  const expected = allOperations
    .filter((row) => row.surface === 'api')
    .map((row) => row.operationId);
  expect(named.sort()).toEqual(expected.sort());
});

test('closed request shapes are closed in the document', () => {
  const { schemas } = document['components'] as {
    schemas: Record<string, { additionalProperties?: unknown }>;
  };
  for (const name of [
    'ProjectCreateRequest',
    'ProjectUpdateRequest',
    'ProjectServerCreateRequest',
  ]) {
    expect(schemas[name]?.additionalProperties).toBe(false);
  }
});
