import { parseSuiteFile, writeSuiteFile } from '@proofmark/server/suite-files';
import { expect, test } from 'vitest';
import { copyOfFile, importWords } from './import-words.ts';

const read = parseSuiteFile(
  [
    ...['schemaVersion: "1"', 'suite: { id: hours, name: Hours }'],
    ...['target: { servers: [{ name: Shop }] }', 'defaults: { model: proofmark/lexical-1 }'],
    'cases: [{ id: a, title: A, steps: [{ kind: prompt, prompt: Hi }] }]',
  ].join('\n'),
);
if (!('file' in read)) throw new Error('The file cannot be read.');
const { file } = read;

test('a file says whether it replaces a suite', () => {
  expect(importWords(file, { name: 'Opening', cases: 3 })).toMatch(
    /^1 case, id hours\. It is there already, as Opening with 3 cases: importing replaces it/,
  );
  expect(importWords(file, null)).toMatch(/^1 case, id hours\. It is new: /);
});

test('a copy is a file that can be read, with another id', () => {
  const copy = parseSuiteFile(writeSuiteFile(copyOfFile(file, 'x1'), 'yaml'));
  expect(copy).toMatchObject({
    file: { ...file, suite: { ...file.suite, id: 'hours-x1', name: 'Hours (copy)' } },
  });
  const long = { ...file, suite: { id: 'i'.repeat(128), name: 'n'.repeat(200) } };
  const { id, name } = copyOfFile(long, 'x1').suite;
  expect([id.length, name.length]).toEqual([103, 197]);
});
