import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type FindingToPlace, lintSarif } from './lint-sarif.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');
const finding: FindingToPlace = {
  rule: 'description-short',
  severity: 'warn',
  serverName: 'Shop',
  toolNames: ['price'],
  path: '/description',
  message: 'The description has 6 characters.',
  reason: 'A short description seldom says when to use the tool.',
  file: 'shop.suite.yaml',
  line: 4,
};
const resultsOf = (findings: readonly FindingToPlace[]) =>
  JSON.parse(lintSarif(findings, { version: '1', sha256Hex })).runs[0].results;

test('a finding stands at the line of its server and names its tool', () => {
  expect(resultsOf([finding])).toMatchObject([
    {
      ruleId: 'description-short',
      level: 'warning',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'shop.suite.yaml' },
            region: { startLine: 4 },
          },
          logicalLocations: [{ name: 'price' }],
        },
      ],
    },
  ]);
});

test('it is the same finding at another line, and another one of another tool', () => {
  const print = (more: Partial<FindingToPlace>) =>
    resultsOf([{ ...finding, ...more }])[0].partialFingerprints;
  expect(print({ line: 9, message: 'It has 7.' })).toEqual(print({}));
  expect(print({ toolNames: ['open'] })).not.toEqual(print({}));
});
