import { expect, test } from 'vitest';
import { readSuiteFile } from './read-suite-file.ts';
import { findWritten } from './written-places.ts';

test('a step is found where a person wrote it, in both forms', async () => {
  const read = await readSuiteFile(`schemaVersion: "1"
suite: { id: shop, name: Shop }
target: { servers: [{ name: Books }] }
defaults: { model: proofmark/lexical-1 }
cases:
  - id: short
    title: Short
    ask: Hi
    calls:
      - a
      - b(x: 1)
    then:
      - call: c
        fails: true
  - id: long
    title: Long
    steps:
      - kind: assert
        assertion: { type: responseMatches, pattern: x }
    assertions:
      - type: noToolErrors
`);
  if ('findings' in read) throw new Error(read.findings[0].message);
  const at = (path: string) => findWritten(read.places, path);
  expect(at('cases[0].steps[2].assertion.args')).toEqual({
    path: 'cases[0].calls[1]',
    position: 'Line 11, column 9: ',
  });
  expect(at('cases[0].steps[4].assertion')).toEqual({
    path: 'cases[0].then[0].fails',
    position: 'Line 14, column 16: ',
  });
  expect(at('cases[1].steps[0].assertion.pattern')).toEqual({
    path: 'cases[1].steps[0].assertion.pattern',
    position: 'Line 18, column 9: ',
  });
  expect(at('cases[1].assertions[0]').position).toBe('Line 21, column 9: ');
  expect(at('cases[1].before[0].toolName').position).toBe('Line 15, column 5: ');
  expect(at('defaults.model')).toEqual({ path: 'defaults.model', position: '' });
});
