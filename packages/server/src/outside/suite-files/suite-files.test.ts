import { canonicalJson, largestSuiteFileBytes, type SuiteFile } from '@proofmark/domain';
import { anySuiteFile } from '@proofmark/harness/any-suite-file.ts';
import { suiteFile } from '@proofmark/harness/suite-file.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseSuiteFile } from './parse-suite-file.ts';
import { readSuiteFile } from './read-suite-file.ts';
import { writeSuiteFile } from './write-suite-file.ts';

function read(text: string): SuiteFile {
  const result = parseSuiteFile(text);
  if ('findings' in result) throw new Error(result.findings[0].message);
  return result.file;
}

function problem(text: string) {
  const result = parseSuiteFile(text);
  if ('file' in result) throw new Error('The file was taken.');
  return result.findings[0];
}

const example = suiteFile('weather');
const yaml = stringify(example, { version: '1.2', compat: 'yaml-1.1' });

describe.each(['yaml', 'json'] as const)('written as %s', (format) => {
  test('any file is read back the same, and written again with the same bytes', () => {
    fc.assert(
      fc.property(anySuiteFile, (file) => {
        const text = writeSuiteFile(file, format);
        const again = read(text);
        expect(canonicalJson(again)).toBe(canonicalJson(file));
        expect(writeSuiteFile(again, format)).toBe(text);
      }),
    );
  });
});

test('the text of a file is this', () => {
  expect(writeSuiteFile(example, 'yaml')).toBe(`schemaVersion: "1"
suite:
  id: weather
  name: Suite weather
target:
  servers:
    - name: Sample
defaults:
  model: proofmark/lexical-1
  repetitions: 1
  passThreshold: 1
cases:
  - id: greets
    title: Greets
    steps:
      - id: ask
        kind: prompt
        prompt: Say hello
    assertions:
      - type: finalAssistantMessageNonEmpty
`);
});

describe('what cannot be read is refused in one sentence that says where', () => {
  const withArguments = (value: string) =>
    yaml
      .replace('kind: prompt', 'kind: toolCall')
      .replace(
        'prompt: Say hello',
        `serverName: Sample\n        toolName: t\n        arguments: ${value}`,
      );
  test.each<[string, string, string, RegExp]>([
    ['nothing', '', 'SUITE_FILE_EMPTY', /empty/],
    ['only a comment', '# nothing\n', 'SUITE_FILE_EMPTY', /empty/],
    ['two documents', `${yaml}---\n${yaml}`, 'SUITE_FILE_MULTIPLE_DOCUMENTS', /several/],
    ['broken YAML', 'suite: {id: a', 'SUITE_FILE_YAML_INVALID', /^Line 1, column \d+: /],
    ['a key twice', `${yaml}mode: agentWorkflow\n`, 'SUITE_FILE_YAML_INVALID', /^Line 24, /],
    [
      'a tag nobody knows',
      yaml.replace('Greets', '!!js/function x'),
      'SUITE_FILE_YAML_INVALID',
      /^Line 17, /,
    ],
    ['a set', withArguments('!!set {a}'), 'SUITE_FILE_YAML_INVALID', /^Line \d+, /],
    ['a key that is a list', withArguments('{[a]: 1}'), 'SUITE_FILE_YAML_INVALID', /^Line \d+, /],
    [
      'infinity',
      withArguments('{a: .inf}'),
      'SUITE_FILE_INVALID',
      /^Line 23, column \d+: cases\[0\]\.steps\[0\]\.arguments\.a: /,
    ],
    ['not a number', withArguments('{a: .nan}'), 'SUITE_FILE_INVALID', /finite/],
    ['U+0000', withArguments('{a: "\\0"}'), 'SUITE_FILE_INVALID', /cannot be stored/],
    ['half a character', withArguments('{a: "\\ud800"}'), 'SUITE_FILE_INVALID', /cannot be stored/],
    [
      'a key called __proto__',
      withArguments('{__proto__: {polluted: true}}'),
      'SUITE_FILE_INVALID',
      /__proto__/,
    ],
    [
      'a contract that asks a model',
      yaml.replace('agentWorkflow', 'serverContract'),
      'SUITE_FILE_INVALID',
      /^Line 19, column 9: cases\[0\]\.steps\[0\]: A server contract asks no model/,
    ],
    [
      'a reserved value',
      yaml.replace('standard', 'summary'),
      'SUITE_FILE_INVALID',
      /reportingMode: .*reserved for later use/,
    ],
    [
      'an unknown key',
      yaml.replace('title: Greets', 'title: Greets\n    extra: 1'),
      'SUITE_FILE_INVALID',
      /^Line 18, column 5: cases\[0\]\.extra: /,
    ],
    ['a list', '- a\n', 'SUITE_FILE_INVALID', /^Line 1, /],
    [
      'deep brackets',
      `a: ${'['.repeat(100_000)}`,
      'SUITE_FILE_YAML_INVALID',
      /^Line 1, column 68: .*64 levels/,
    ],
    ['a deep block', deepBlock(300), 'SUITE_FILE_YAML_INVALID', /^Line 65, column 65: .*64 levels/],
    [
      'dashes on one line, which end the process of a parser that calls itself',
      '- '.repeat(100_000),
      'SUITE_FILE_YAML_INVALID',
      /^Line 1, column 129: .*64 levels/,
    ],
    ['question marks on one line', '? '.repeat(20_000), 'SUITE_FILE_YAML_INVALID', /64 levels/],
    [
      'aliases that nest deeper than what is written',
      `a: &a ${'['.repeat(40)}${']'.repeat(40)}\nb: ${'['.repeat(40)}*a${']'.repeat(40)}\n`,
      'SUITE_FILE_INVALID',
      /64 levels/,
    ],
    ['aliases that explode', bomb(), 'SUITE_FILE_YAML_INVALID', /aliases/],
    [
      '101 aliases',
      `a: &a [1]\nb: [${Array(101).fill('*a').join(', ')}]\n`,
      'SUITE_FILE_YAML_INVALID',
      /aliases/,
    ],
  ])('%s', (_title, text, code, message) => {
    const found = problem(text);
    expect(found).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(found.message).not.toContain('\n');
  });

  test('nothing was put where all objects look', () => {
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('all that is wrong is listed, in order', () => {
    const result = parseSuiteFile(yaml.replace('agentWorkflow', 'x').replace('Greets', '""'));
    if ('file' in result) throw new Error('The file was taken.');
    expect(result.findings.map(({ path }) => path)).toEqual(['cases[0].title', 'mode']);
  });
});

test('aliases and JSON are taken, and words of older YAML are only words', () => {
  const aliased = yaml.replace('Say hello', '&hi Say hello').replace('title: Greets', 'title: yes');
  expect(read(aliased).cases[0]?.title).toBe('yes');
  expect(read(JSON.stringify(example))).toEqual(example);
  expect(read(`\uFEFF${yaml}`)).toEqual(example);
});

test('the largest file that is allowed is read, and none with a byte more', async () => {
  const padded = `${yaml}# ä`;
  const text = padded + 'x'.repeat(largestSuiteFileBytes - Buffer.byteLength(padded));
  expect(await readSuiteFile(text)).toMatchObject({ file: example });
  expect(await readSuiteFile(`${text}x`)).toMatchObject({
    findings: [
      { path: '', code: 'SUITE_FILE_TOO_LARGE', message: expect.stringContaining('1048576 bytes') },
    ],
  });
});

function deepBlock(levels: number): string {
  return Array.from({ length: levels }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n');
}

function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level <= 9; level += 1) {
    const inner = Array(10)
      .fill(`*a${level - 1}`)
      .join(', ');
    lines.push(`a${level}: &a${level} [${inner}]`);
  }
  return lines.join('\n');
}

test('the criteria of a judge are read and written again as they are', () => {
  const goal = {
    type: 'goalCompleted',
    outcome: 'The order is placed.',
    threshold: 0.8,
    votes: 3,
    criteria: [
      { name: 'tone', description: 'It is kind: always.\nAlso at the end.', threshold: 0.5 },
      { name: 'brevity', description: 'At most three sentences.' },
    ],
  };
  const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Order a pen.' }];
  const seen = { id: 'judged', kind: 'assert', assertion: goal };
  const cases = [{ id: 'order', title: 'Orders', steps: [...steps, seen], assertions: [goal] }];
  const file = suiteFile('judged', { cases } as never);
  for (const format of ['yaml', 'json'] as const) {
    const text = writeSuiteFile(file, format);
    expect(read(text).cases).toEqual(cases);
    const again = writeSuiteFile(read(text), format);
    expect(writeSuiteFile(read(again), format)).toBe(again);
  }
  const twice = [goal.criteria[0], goal.criteria[0]];
  const bad = suiteFile('judged', {
    cases: [{ ...cases[0], assertions: [{ ...goal, criteria: twice }] }],
  } as never);
  expect(() => read(writeSuiteFile(bad, 'yaml'))).toThrow('Every criterion needs a different name');
});
