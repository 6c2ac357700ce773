import {
  type Assertion,
  assertionKinds,
  checkRows,
  checkValue,
  type DataCase,
  EvalCaseDefinition,
  exampleOf,
  InlineTest,
  isTemplateAlone,
  SuiteFile,
} from '@proofmark/domain';
import { describe, expect, it } from 'vitest';
import { assertionText } from '../assertion-text.ts';

const steps = [{ id: 'ask', kind: 'prompt', prompt: 'Hello {{name}}' }];

function stated(assertion: object, rows: readonly object[] | undefined) {
  return {
    title: 'Look up',
    steps,
    checks: { mode: 'replace', list: [assertion] },
    ...(rows && { data: { key: 'name', rows } }),
  };
}

function filled(assertion: object, row: object): unknown {
  const checked = checkValue(EvalCaseDefinition, stated(assertion, [{ name: 'Ada', ...row }]));
  if ('problems' in checked) return checked.problems[0];
  const { value } = checkRows(checked.value as DataCase, () => undefined).next();
  return value ?? exampleOf(checked.value).checks?.list?.[0];
}

const alone = '{{it}}';

describe('a template alone where no text may stand', () => {
  it.each<[string, object, unknown, unknown]>([
    ['a whole number', { type: 'toolCallCountUnder', count: alone }, 3, { count: 3 }],
    [
      'a number',
      { type: 'responseCloseTo', reference: 'Hi', threshold: alone },
      0.5,
      { threshold: 0.5 },
    ],
    [
      'true or false',
      { type: 'responseContains', needle: 'x', caseSensitive: alone },
      true,
      { caseSensitive: true },
    ],
    [
      'a word of several',
      { type: 'toolCalledWith', toolName: 't', args: { args: {}, argumentMatching: alone } },
      'exact',
      { args: { argumentMatching: 'exact' } },
    ],
    ['its role', { type: 'noToolErrors', role: alone }, 'advisory', { role: 'advisory' }],
    ['how many votes', { type: 'goalCompleted', outcome: 'Done.', votes: alone }, 3, { votes: 3 }],
    [
      'a schema',
      { type: 'toolResultMatchesSchema', schema: alone },
      { type: 'object' },
      { schema: { type: 'object' } },
    ],
    [
      'a part of a schema',
      { type: 'toolResultMatchesSchema', schema: { minimum: alone } },
      7,
      { schema: { minimum: 7 } },
    ],
    ['a list', { type: 'onlyToolsCalled', toolNames: alone }, ['a'], { toolNames: ['a'] }],
    [
      'one of criteria',
      { type: 'goalCompleted', outcome: 'Done.', criteria: [alone] },
      { name: 'tone', description: 'Kind.' },
      { criteria: [{ name: 'tone' }] },
    ],
    ['a bound', { type: 'toolResultPath', pointer: '/n', min: alone }, -2, { min: -2 }],
  ])('is what the row has: %s', (_what, assertion, value, expected) => {
    expect(filled(assertion, { it: value })).toMatchObject(expected as object);
  });

  it.each<[string, object, string, unknown]>([
    ['a whole number', { type: 'toolCallCountUnder', count: alone }, '3', { count: 3 }],
    ['a number', { type: 'toolResultPath', pointer: '/n', min: alone }, ' -1.5e2', { min: -150 }],
    [
      'true or false',
      { type: 'toolResultPath', pointer: '/n', exists: alone },
      'false',
      { exists: false },
    ],
    [
      'one of numbers',
      { type: 'goalCompleted', outcome: 'Done.', votes: alone },
      '5',
      { votes: 5 },
    ],
    [
      'nothing where text may stand',
      { type: 'responseContains', needle: alone },
      '36',
      { needle: '36' },
    ],
    [
      'nothing where anything may stand',
      { type: 'toolResultPath', pointer: '/n', equals: alone },
      '36',
      { equals: '36' },
    ],
  ])('is made of the text of a CSV file: %s', (_what, assertion, value, expected) => {
    expect(filled(assertion, { it: value })).toMatchObject(expected as object);
  });

  it.each<[string, object, unknown, string, RegExp]>([
    ['a word', { type: 'toolCallCountUnder', count: alone }, 'many', 'count', /a number/],
    [
      'a spelling that is none',
      { type: 'turnCountUnder', turns: alone },
      '0x10',
      'turns',
      /number/,
    ],
    ['too little', { type: 'toolCallCountUnder', count: alone }, 0, 'count', /at least 1/],
    [
      'too little as text',
      { type: 'toolCallCountUnder', count: alone },
      '0',
      'count',
      /at least 1/,
    ],
    ['a fraction', { type: 'toolCallCountUnder', count: alone }, 1.5, 'count', /whole number/],
    [
      'too much',
      { type: 'goalCompleted', outcome: 'x', threshold: alone },
      80,
      'threshold',
      /at most 1/,
    ],
    ['null', { type: 'toolCallCountUnder', count: alone }, null, 'count', /null/],
    [
      'what is not true or false',
      { type: 'toolResultPath', pointer: '', exists: alone },
      'yes',
      'exists',
      /true or false/,
    ],
    [
      'another word',
      { type: 'noToolErrors', role: alone },
      'strict',
      'role',
      /"gating" or "advisory"/,
    ],
    [
      'another number',
      { type: 'goalCompleted', outcome: 'x', votes: alone },
      2,
      'votes',
      /1, 3 or 5/,
    ],
    [
      'no schema',
      { type: 'toolResultMatchesSchema', schema: alone },
      { type: 'nonsense' },
      'schema',
      /not a valid JSON Schema/,
    ],
    [
      'a text inside a schema, which may be meant as one',
      { type: 'toolResultMatchesSchema', schema: { minimum: alone, const: alone } },
      '7',
      'schema',
      /not a valid JSON Schema/,
    ],
    [
      'a text for a schema',
      { type: 'toolResultMatchesSchema', schema: alone },
      '{}',
      'schema',
      /an object with keys/,
    ],
  ])('is refused with its row, its place and what is expected: %s', (...given) => {
    const [_what, assertion, value, field, message] = given;
    const problem = filled(assertion, { it: value }) as { path: unknown[]; message: string };
    expect(problem.path).toEqual(['checks', 'list', 0, field]);
    expect(problem.message).toMatch(/^In the row "Ada": /);
    expect(problem.message).toMatch(message);
  });

  it('is nothing else: not beside other text, and not for the kind itself', () => {
    expect(['{{a}}', ' {{a}}', '{{a}}{{b}}', '\\{{a}}', '{{a', 3].filter(isTemplateAlone)).toEqual([
      '{{a}}',
    ]);
    expect(filled({ type: 'toolCallCountUnder', count: '{{it}} ' }, { it: 3 })).toMatchObject({
      path: ['checks', 'list', 0, 'count'],
    });
    expect(filled({ type: alone }, { it: 'noToolErrors' })).toMatchObject({
      path: ['checks', 'list', 0, 'type'],
      message: expect.stringContaining('The type is unknown'),
    });
  });

  it('leaves all else of the assertion as strict as it is', () => {
    const assertion = { type: 'toolCallCountUnder', count: alone, toolNam: '{{it}}' };
    expect(filled(assertion, { it: 3 })).toMatchObject({
      path: ['checks', 'list', 0, 'toolNam'],
      message: 'Unknown key toolNam; did you mean toolName?',
    });
    expect(filled({ type: 'toolCallCountUnder', count: alone, toolName: 7 }, { it: 3 })).toEqual({
      path: ['checks', 'list', 0, 'toolName'],
      message: 'This must be text, not 7.',
    });
  });
});

describe('without data', () => {
  const assertion = { type: 'toolCallCountUnder', count: alone };
  const step = { id: 'see', kind: 'assert', assertion };
  const message = expect.stringMatching(/a number.* only in a case with data/);

  it.each<[string, object, string]>([
    ['of the case', stated(assertion, undefined), 'checks.list.0.count'],
    ['of a step', { title: 'A', steps: [...steps, step] }, 'steps.1.assertion.count'],
  ])('it is refused: %s', (_where, definition, path) => {
    const checked = checkValue(EvalCaseDefinition, definition);
    expect('problems' in checked && checked.problems).toHaveLength(1);
    const [problem] = 'problems' in checked ? checked.problems : [];
    expect(problem?.path.join('.')).toBe(path);
    expect(problem?.message).toEqual(message);
    expect(
      checkValue(EvalCaseDefinition, { ...definition, data: { key: 'n', rows: [{ n: 1 }] } }),
    ).toHaveProperty('value');
  });

  it('it is refused in a test that is sent along and in a file, with the place as it is called there', () => {
    const test = checkValue(InlineTest, { title: 'A', steps, assertions: [assertion], data: null });
    expect(test).toMatchObject({ problems: [{ path: ['assertions', 0, 'count'], message }] });
    const file = {
      schemaVersion: '1',
      mode: 'agentWorkflow',
      reportingMode: 'standard',
      suite: { id: 's', name: 'S' },
      target: { servers: [{ name: 'crm' }] },
      defaults: { model: 'm', repetitions: 1, passThreshold: 1, validity: {} },
    };
    const one = { id: 'a', title: 'A', steps: [...steps, step] };
    expect(checkValue(SuiteFile, { ...file, cases: [one] })).toMatchObject({
      problems: [{ path: ['cases', 0, 'steps', 1, 'assertion', 'count'], message }],
    });
    const data = { key: 'name', file: 'rows.csv' };
    const cases = [{ ...one, assertions: [assertion], data }];
    expect(checkValue(SuiteFile, { ...file, cases })).toEqual({ value: { ...file, cases } });
  });

  it('braces in texts are texts', () => {
    const text = stated({ type: 'responseContains', needle: alone }, undefined);
    expect(checkValue(EvalCaseDefinition, text)).toEqual({ value: text });
  });
});

it('an assertion with templates is a line, whatever they stand for', () => {
  const lines = [
    { type: 'toolCalledWith', toolName: 't', args: alone },
    { type: 'toolCalledWith', toolName: 't', args: { args: alone } },
    { type: 'goalCompleted', outcome: 'x', criteria: [alone], threshold: alone },
    ...Object.keys(assertionKinds).map((type) => ({ type, toolName: alone, args: alone })),
  ].map((assertion) => assertionText(assertion as unknown as Assertion));
  for (const line of lines) expect(line).toContain(alone);
});
