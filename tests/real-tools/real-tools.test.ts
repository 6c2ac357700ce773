/**
 * Lints the tools of published MCP servers, as collected by `scripts/collect-tool-lists.mjs`. A
 * person has read every finding of the rules below. True findings are in judged-findings.json with
 * the reason; all others count as false.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Json, type LintRule, lintSurface } from '@proofmark/domain';
import { rankForLint } from '@proofmark/server/ranking';
import { expect, test } from 'vitest';

const file = (name: string) => path.join(import.meta.dirname, name);
const read = <Content>(name: string) => JSON.parse(readFileSync(file(name), 'utf8')) as Content;
const lists = read<{ package: string; version: string; tools: Json[] }[]>('tool-lists.json');
const packages = read<{ name: string; version: string }[]>('packages.json');
const judged =
  read<{ rule: string; package: string; toolName: string; reason: string }[]>(
    'judged-findings.json',
  );
const tools = lists.reduce((sum, list) => sum + list.tools.length, 0);

const rules: readonly LintRule[] = [
  ...(['schema-contradicts-text', 'description-unrelated', 'tools-confused'] as const),
  ...(['header-parameter-invalid', 'hidden-characters', 'instructions-to-model'] as const),
  ...(['shadows-tool', 'destructive-unannotated', 'secret-parameter'] as const),
];
const findings = lists.flatMap(({ package: name, tools: listed }) =>
  lintSurface([{ name, tools: listed }], { rankTools: rankForLint })
    .filter(({ rule }) => rules.includes(rule))
    .map(({ rule, toolName }) => `${rule} ${name} ${toolName}`),
);
const known = judged.map((one) => `${one.rule} ${one.package} ${one.toolName}`);

test('the lists are of at least 300 tools of 25 packages of exact versions, in less than 1 MB', () => {
  expect(tools).toBeGreaterThanOrEqual(300);
  expect(lists.length).toBeGreaterThanOrEqual(25);
  expect(lists.map((list) => [list.package, list.version])).toEqual(
    packages.map(({ name, version }) => [name, version]),
  );
  expect(statSync(file('tool-lists.json')).size).toBeLessThan(1_000_000);
});

test('at most one finding of a hundred tools is false', () => {
  const unjudged = findings.filter((one) => !known.includes(one));
  expect(unjudged.length, unjudged.join('\n')).toBeLessThanOrEqual(tools / 100);
});

test('every finding that was judged true is still found', () => {
  expect(known.filter((one) => !findings.includes(one))).toEqual([]);
  expect(judged.every(({ reason }) => reason.endsWith('.'))).toBe(true);
});
