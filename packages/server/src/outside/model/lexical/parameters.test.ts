import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countWords } from './count-words.ts';
import { findingsIn } from './findings.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { indexTools } from './rank-tools.ts';

const fieldsNamed = (count: number, of: (index: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field_${index}`, of(index)]));

const countAll = (parameters: readonly Parameter[]): number =>
  parameters.reduce(
    (sum, { fields, item }) => sum + 1 + countAll(fields) + countAll(item ? [item] : []),
    0,
  );

function endless(fields: number) {
  const node = { type: 'object', properties: fieldsNamed(fields, () => ({ $ref: '#/$defs/n' })) };
  return { ...node, $defs: { n: node } };
}

test('a schema that refers to itself is read up to a bound over all its levels, the outer one first', () => {
  for (const fields of [2, 8, 9, 60]) {
    const parameters = parametersOf(endless(fields));
    expect(parameters).toHaveLength(fields);
    expect(countAll(parameters)).toBeLessThanOrEqual(300);
  }
  expect(countAll(parametersOf(endless(9), 20))).toBe(20);
});

test('a first parameter that goes deep hides none beside it', () => {
  const properties = { deep: endless(20), last: { type: 'string' } };
  const names = parametersOf({ properties, $defs: endless(20).$defs }).map(({ name }) => name);
  expect(names).toEqual(['deep', 'last']);
});

test('of a list that says too much, later tools are still found by their names', () => {
  const properties = fieldsNamed(60, () => ({ description: 'many plain words '.repeat(20) }));
  const tools = Array.from({ length: 500 }, (_, index) => ({
    name: `tool_${String(index).padStart(3, '0')}_mark`,
    inputSchema: { properties },
  }));
  const { documents } = indexTools(tools);
  const stems = documents.reduce((sum, { length }) => sum + length, 0);
  expect(stems).toBeLessThan(120_000);
  expect(documents.at(0)?.weights.has('field')).toBe(true);
  expect(documents.at(-1)?.weights.has('field')).toBe(false);
  expect(documents.at(-1)?.weights.has('mark')).toBe(true);
});

test('a quotation begins at the last mark that opens it', () => {
  expect(findingsIn('“red “blue” and «green «grey»').map(({ value }) => value)).toEqual([
    'blue',
    'grey',
  ]);
});

test('words are counted as runs of letters and digits', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(fc.oneof(text, fc.string()), (sample) => {
      expect(countWords(sample)).toBe([...sample.matchAll(/[\p{L}\p{N}]+/gu)].length);
    }),
  );
});
