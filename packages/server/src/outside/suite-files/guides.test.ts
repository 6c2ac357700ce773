import { readFileSync } from 'node:fs';
import { canonicalJson } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { parseSuiteFile } from './parse-suite-file.ts';

const head = `schemaVersion: "1"
suite: { id: guide, name: Guide }
target: { servers: [{ name: Sample bookshop }] }
defaults: { model: proofmark/lexical-1 }
`;

function filesOf(guide: string) {
  const place = new URL(`../../../../../docs/guides/${guide}.md`, import.meta.url);
  const blocks = [...readFileSync(place, 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)];
  return blocks.flatMap(([, block = '']) => {
    if (block.startsWith('schemaVersion')) return [readFile(block)];
    if (block.startsWith('cases:')) return [readFile(`${head}${block}`)];
    return block.startsWith('  - id:') ? [readFile(`${head}cases:\n${block}`)] : [];
  });
}

function readFile(text: string) {
  const read = parseSuiteFile(text);
  if ('findings' in read) throw new Error(`${text}\n${read.findings[0].message}`);
  return read.file;
}

test.each([
  ['suite-files', 4],
  ['suite-steps', 2],
  ['running-evals', 1],
  ['rows-of-data', 1],
])('every suite in the guide %s can be read', (guide, amount) => {
  expect(filesOf(guide)).toHaveLength(amount);
});

test('the long form in the guide is the case that the guide begins with', () => {
  const [short, , long] = filesOf('suite-files');
  expect(canonicalJson(long?.cases)).toBe(canonicalJson(short?.cases));
});
