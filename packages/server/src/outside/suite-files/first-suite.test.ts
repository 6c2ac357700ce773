/** `proofmark init` writes a valid suite file, whatever the names of a server's tools. */
import { firstSuiteText } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { parseSuiteFile } from './parse-suite-file.ts';

const model = 'proofmark/lexical-1';
const tool = (name: string, properties = {}, readOnlyHint?: boolean) => ({
  serverName: 'Shop: "A"',
  name,
  description: 'Says #1: "yes".\nAnd more.',
  inputSchema: { type: 'object', properties, required: Object.keys(properties) },
  ...(readOnlyHint !== undefined && { annotations: { readOnlyHint } }),
});

function fileOf(tools: readonly ReturnType<typeof tool>[], serverName = 'Shop: "A"') {
  const read = parseSuiteFile(firstSuiteText({ serverName, tools, model }));
  if ('findings' in read) throw new Error(JSON.stringify(read.findings));
  return read.file;
}

test('asks for what reads, leaves out what may change something, and holds small talk', () => {
  const day = { type: 'string', enum: ['Monday'] };
  const tools = [tool('delete_all'), tool('get_hours', { day }), tool('odd', {}, false)];
  const file = fileOf(tools);
  expect(file.target.servers).toEqual([{ name: 'Shop: "A"' }]);
  expect(file.defaults.allowWrites).toEqual([]);
  expect(file.cases.map(({ id }) => id)).toEqual(['surface', 'get_hours', 'small-talk']);
  expect(file.cases[1]?.steps).toMatchObject([
    { kind: 'prompt', prompt: 'Says #1: "yes". day: Monday' },
    { assertion: { toolName: 'get_hours', args: { args: { day: 'Monday' } } } },
  ]);
  expect(file.cases[2]).toMatchObject({ isNegativeTest: true });
  const text = firstSuiteText({ serverName: 'Shop', tools, model });
  expect(text).toContain('#   odd: held for writing: annotated readOnlyHint: false');
  expect(text).toMatch(/# {3}delete_all: held for writing: .* its name says delete\n/);
});

test('a tool that names a widget is asked to show it, also beyond the first few', () => {
  const widget = { ...tool('get_z'), widget: 'ui://shop/z' };
  const forWidgets = { ...tool('get_a'), isForWidgets: true as const };
  const others = Array.from({ length: 9 }, (_, at) => tool(`get_b${at}`));
  const file = fileOf([widget, forWidgets, ...others]);
  const last = file.cases.find(({ id }) => id === 'get_z');
  expect(last?.title).toBe('Finds get_z and shows its widget');
  expect(last?.steps.at(-1)).toMatchObject({
    assertion: { type: 'widgetRendered', toolName: 'get_z' },
  });
  expect(file.cases.map(({ id }) => id)).not.toContain('get_a');
});

test('says which arguments are samples, and only of those', () => {
  const text = (properties: object) =>
    firstSuiteText({ serverName: 'Shop', tools: [tool('find', properties)], model });
  expect(text({ title: { type: 'string' } })).toContain('# Samples: put values');
  expect(text({ title: { type: 'string' } })).toContain('title: Finds find, with sample values');
  expect(text({ day: { type: 'string', enum: ['Monday'] } })).not.toMatch(/sample/i);
});

test.each(['yes', 'a: b', '- x', '"', '日本', 'x'.repeat(150), '127.0.0.1:8080', '#'])(
  'a server or a tool called %j is no trouble',
  (name) => {
    const file = fileOf([tool(name), tool(`${name} `)], name);
    expect(file.suite.name).toBe(name);
    expect(new Set(file.cases.map(({ id }) => id)).size).toBe(file.cases.length);
  },
);

test('of many tools it takes a few and says so', () => {
  const tools = Array.from({ length: 40 }, (_, at) => tool(`get_${at}`));
  expect(fileOf(tools).cases).toHaveLength(8);
  expect(firstSuiteText({ serverName: 'Shop', tools, model })).toContain('lists 40 tools');
});
