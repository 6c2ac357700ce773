import { draftFirstSuites, firstSuiteTexts, type SampleAnswer } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { parseSuiteFile } from './parse-suite-file.ts';

const tool = (name: string, properties = {}, readOnlyHint?: boolean) => ({
  serverName: 'Shop: "A"',
  name,
  description: 'Says #1: "yes".\nAnd more.',
  inputSchema: { type: 'object', properties, required: Object.keys(properties) },
  ...(readOnlyHint !== undefined && { annotations: { readOnlyHint } }),
});
type Tool = ReturnType<typeof tool> & { widget?: string };

function textsOf(
  tools: readonly Tool[],
  serverName = 'Shop: "A"',
  answers: readonly SampleAnswer[] = [],
) {
  const reached = { command: 'node', args: ['server.js', '#1: x'], env: ['HOME'], cwd: '..' };
  const head = { serverName, reached, model: 'proofmark/lexical-1' };
  return firstSuiteTexts(draftFirstSuites({ tools, answers }), head);
}

function filesOf(...given: Parameters<typeof textsOf>) {
  const { prompts, contract } = textsOf(...given);
  return [prompts, contract].map((text) => {
    const read = parseSuiteFile(text);
    if ('findings' in read) throw new Error(JSON.stringify(read.findings));
    return read.file;
  });
}

test('both files say how the server is reached and allow no tool to write', () => {
  const [prompts, contract] = filesOf([tool('get_hours')]);
  for (const file of [prompts, contract]) {
    expect(file?.target.servers).toEqual([
      {
        name: 'Shop: "A"',
        command: 'node',
        args: ['server.js', '#1: x'],
        env: ['HOME'],
        cwd: '..',
      },
    ]);
    expect(file?.defaults.allowWrites).toEqual([]);
  }
  expect(contract?.mode).toBe('serverContract');
});

test('prompts ask for what reads, and every call of the contract has its expectation', () => {
  const day = { type: 'string', enum: ['Monday', 'Friday'] };
  const tools = [tool('delete_all'), tool('get_hours', { day }), tool('odd', {}, false)];
  const [prompts, contract] = filesOf(tools);
  expect(prompts?.cases.map(({ id }) => id)).toEqual(['get_hours', 'get_hours-2', 'small-talk']);
  expect(prompts?.cases[0]?.steps).toMatchObject([
    { kind: 'prompt', prompt: 'Get hours with day: Monday' },
    { assertion: { toolName: 'get_hours', args: { args: { day: 'Monday' } } } },
  ]);
  expect(prompts?.cases[2]).toMatchObject({ isNegativeTest: true });
  expect(contract?.cases.map(({ id }) => id)).toEqual([
    'surface',
    'get_hours-answers',
    'get_hours-refuses',
    'get_hours-edges',
  ]);
  const kinds = contract?.cases[2]?.steps.map((step) =>
    step.kind === 'assert' && 'type' in step.assertion ? step.assertion.type : step.kind,
  );
  expect(kinds).toEqual(['toolCall', 'toolCallFails', 'toolCall', 'toolCallFails']);
  expect(contract?.cases[3]?.assertions).toEqual([{ type: 'toolDoesNotCrash' }]);
  const text = textsOf(tools).prompts;
  expect(text).toContain('#   odd: held for writing: annotated readOnlyHint: false');
  expect(text).toMatch(/# {3}delete_all: held for writing: .* its name says delete\n/);
});

test('a refused sample is a disabled case with the words of the server', () => {
  const id = { type: 'integer' };
  const answer = { toolName: 'get_book', arguments: { id: 1 }, outcome: 'failed' as const };
  const [prompts, contract] = filesOf([tool('get_book', { id })], 'Shop', [
    { ...answer, message: 'No book "1": sold.' },
  ]);
  expect(contract?.cases[1]).toMatchObject({
    title: 'get_book answers sample values (it refused the sample: No book "1": sold.)',
    disabled: true,
  });
  expect(prompts?.cases[0]?.assertions).toEqual([{ type: 'toolDoesNotCrash' }]);
});

test('a tool that names a widget is asked to show it', () => {
  const [prompts] = filesOf([{ ...tool('get_z'), widget: 'ui://shop/z' }]);
  expect(prompts?.cases[0]?.title).toBe('Finds get_z and shows its widget');
  expect(prompts?.cases[0]?.assertions).toEqual([{ type: 'widgetRendered', toolName: 'get_z' }]);
});

test.each([
  'yes',
  'a: b',
  '- x',
  '"',
  "it's",
  '日本',
  'x'.repeat(150),
  '127.0.0.1:8080',
  '#',
  'a(b)',
])('a server, a tool or a parameter called %j is no trouble', (name) => {
  const text = { type: 'string' };
  for (const file of filesOf([tool(name, { [name]: text }), tool(`${name} `)], name)) {
    expect(new Set(file.cases.map(({ id }) => id)).size).toBe(file.cases.length);
    for (const step of file.cases.flatMap(({ steps }) => steps)) {
      if (step.kind === 'toolCall') expect(step.toolName.trim()).toBe(name);
    }
  }
});

test('of very many tools it takes some and says so', () => {
  const tools = Array.from({ length: 90 }, (_, at) => tool(`get_${at}`));
  expect(filesOf(tools)[0]?.cases).toHaveLength(121);
  expect(textsOf(tools).prompts).toContain('the suites have cases for 60 tools');
});
