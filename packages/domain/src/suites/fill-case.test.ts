import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRows, requestRowsProblem } from './check-rows.ts';
import type { EvalCaseDefinition } from './eval-case.ts';
import { spellSuite } from './file-from-suite.ts';
import { type DataCase, exampleOf, fillCase, templateOf } from './fill-case.ts';
import type { Step, ToolCallStep } from './step.ts';
import { readTemplate } from './template-text.ts';

const prompt = (text: string): Step => ({ id: 'ask', kind: 'prompt', prompt: text });

const around = { id: 'put', kind: 'toolCall', serverName: 'crm', toolName: 'put' };
const greeting = { id: 'greet', kind: 'getPrompt', serverName: 'crm', promptName: 'greet' };
const reading = { id: 'read', kind: 'readResource', serverName: 'crm' };

function caseOf(fields: Partial<EvalCaseDefinition>, rows: readonly object[]): DataCase {
  const data = { key: 'name', rows: rows as Record<string, unknown>[] };
  return { title: 'Look up', steps: [prompt('Hello')], ...fields, data };
}

function filled(fields: Partial<EvalCaseDefinition>, row: object) {
  const read = templateOf(caseOf(fields, [row]));
  if ('problem' in read) return read;
  return fillCase(read.template, row as Record<string, unknown>);
}

function problemOf(
  definition: DataCase,
  whyNotRun: Parameters<typeof checkRows>[1] = () => undefined,
) {
  const checking = checkRows(definition, whyNotRun);
  let next = checking.next();
  while (!next.done) next = checking.next();
  return next.value;
}

describe('texts with templates', () => {
  it.each([
    ['{{a}}', [{ name: 'a' }]],
    ['{{ a b }}!', [{ name: 'a b' }, '!']],
    ['no { braces }}', ['no { braces }}']],
    ['\\{{a}} {{b}}', ['{{', 'a}} ', { name: 'b' }]],
    ['{{{a}}}', ['{', { name: 'a' }, '}']],
    ['{{a}}{{b}}', [{ name: 'a' }, { name: 'b' }]],
  ])('reads %j', (text, parts) => {
    expect(readTemplate(text)).toEqual({ parts });
  });

  it.each(['{{a', 'x {{a} y', '{{a {{b}}', '{{}}', '{{ }}'])('refuses %j', (text) => {
    expect(readTemplate(text)).toEqual({ problem: expect.any(String) });
  });

  it('gives back any text whose braces are escaped', () => {
    const noEnd = fc.string().filter((text) => !/\\$/.test(text));
    fc.assert(
      fc.property(fc.array(noEnd), (texts) => {
        const plain = texts.map((text) => text.replaceAll('{', '(')).join('{{');
        const read = readTemplate(plain.replaceAll('{{', '\\{{'));
        expect('parts' in read && read.parts.join('')).toBe(plain);
      }),
    );
  });
});

describe('filling in a row', () => {
  it('gives back what the suite asks as it stands, once that is written into a case with data', () => {
    const braces = fc
      .array(fc.constantFrom('{', '{{', '}}', '\\', 'a', '{{name}}', '\\{{'), { minLength: 1 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(braces, fc.string({ minLength: 1 })), { minLength: 1 }),
        (needles) => {
          const checks = needles.slice(0, 5).map((needle) => ({
            type: 'toolCalledWith' as const,
            toolName: 't',
            args: { args: { needle } },
          }));
          const one = caseOf({ steps: [prompt('Hello {{name}}')] }, [{ name: 'Ada' }]);
          const { data: _, ...rest } = one;
          const suite = {
            id: 's',
            name: 'S',
            description: null,
            servers: [],
            environments: [],
            hosts: [],
            tags: [],
            schedule: { enabled: false },
            definition: { model: 'm', settings: { checks } },
            cases: [
              { id: 'one', definition: one },
              { id: 'two', definition: rest },
            ],
          };
          const [withData, without] = spellSuite(suite as never).cases;
          const list = withData?.assertions;
          expect(
            filled({ checks: { mode: 'replace', list } } as never, { name: 'Ada' }),
          ).toMatchObject({
            definition: { checks: { list: checks } },
          });
          expect(without?.assertions).toEqual(checks);
        },
      ),
    );
  });

  it('fills prompts, arguments, assertions, the expected output and answers to questions', () => {
    const fields: Partial<EvalCaseDefinition> = {
      steps: [
        prompt('Who is {{name}}, aged {{age}}?'),
        {
          id: 'call',
          kind: 'toolCall',
          serverName: 'crm',
          toolName: 'find_{{kind}}',
          arguments: {
            who: { exact: '{{name}}', age: '{{age}}', note: 'is {{age}}' },
            '{{name}}': 1,
          },
          elicitations: [{ action: 'accept', content: { confirmed: '{{sure}}' } }],
        },
        { id: 'see', kind: 'assert', assertion: { type: 'responseContains', needle: '{{age}}' } },
      ],
      expectedOutput: '{{age}}',
      checks: { mode: 'replace', list: [{ type: 'toolNeverCalled', toolName: 'drop_{{kind}}' }] },
      scenario: 'About {{name}}',
      advancedConfig: { system: 'You serve {{name}}.' },
    };
    const row = { name: 'Ada', age: 36, kind: 'person', sure: true };
    expect(filled(fields, row)).toEqual({
      definition: {
        title: 'Look up',
        steps: [
          prompt('Who is Ada, aged 36?'),
          {
            id: 'call',
            kind: 'toolCall',
            serverName: 'crm',
            toolName: 'find_person',
            arguments: { who: { exact: 'Ada', age: 36, note: 'is 36' }, '{{name}}': 1 },
            elicitations: [{ action: 'accept', content: { confirmed: true } }],
          },
          { id: 'see', kind: 'assert', assertion: { type: 'responseContains', needle: '36' } },
        ],
        expectedOutput: '36',
        checks: { mode: 'replace', list: [{ type: 'toolNeverCalled', toolName: 'drop_person' }] },
        scenario: 'About Ada',
        advancedConfig: { system: 'You serve Ada.' },
      },
    });
  });

  it('fills calls around the case, prompts of servers and resources', () => {
    const call = (id: string, given: object): ToolCallStep => ({
      id,
      kind: 'toolCall',
      serverName: 'crm',
      toolName: 'put',
      arguments: given as ToolCallStep['arguments'],
    });
    const fields: Partial<EvalCaseDefinition> = {
      before: [call('make', { who: '{{name}}', age: '{{age}}' })],
      after: [call('drop', { note: ['{{name}} is {{age}}'] })],
      steps: [
        {
          id: 'greet',
          kind: 'getPrompt',
          serverName: 'crm',
          promptName: 'greet_{{kind}}',
          arguments: { who: '{{name}}', age: '{{age}}' },
        },
        { id: 'read', kind: 'readResource', serverName: 'crm', uri: 'crm://{{kind}}/{{name}}' },
        { id: 'read-2', kind: 'readResource', serverName: 'crm', uri: '{{age}}' },
      ],
    };
    expect(filled(fields, { name: 'Ada', age: 36, kind: 'person' })).toEqual({
      definition: {
        title: 'Look up',
        before: [call('make', { who: 'Ada', age: 36 })],
        after: [call('drop', { note: ['Ada is 36'] })],
        steps: [
          {
            id: 'greet',
            kind: 'getPrompt',
            serverName: 'crm',
            promptName: 'greet_person',
            // Arguments of prompts are always texts, even if the row contains a number.
            arguments: { who: 'Ada', age: '36' },
          },
          { id: 'read', kind: 'readResource', serverName: 'crm', uri: 'crm://person/Ada' },
          { id: 'read-2', kind: 'readResource', serverName: 'crm', uri: '36' },
        ],
      },
    });
  });

  it.each([
    ['before', { before: [{ ...around, arguments: { who: '{{other}}' } }] }],
    ['after', { after: [{ ...around, arguments: { who: '{{other}}' } }] }],
    ['steps', { steps: [{ ...greeting, arguments: { who: '{{other}}' } }] }],
    ['steps', { steps: [{ ...reading, uri: 'crm://{{other}}' }] }],
  ] as const)('refuses a name that no row has there, too: %s', (field, fields) => {
    const problem = problemOf(caseOf(fields as never, [{ name: 'Ada' }]));
    expect(JSON.stringify(problem)).toContain('no column');
    expect(JSON.stringify(problem)).toContain(`"${field}"`);
  });

  it('leaves the case as it was, and what is called by a name the same for all rows', () => {
    const definition = caseOf(
      { title: 'A {{name}}', steps: [prompt('{{name}}')], models: [{ model: 'm{{name}}' }] },
      [{ name: 'Ada' }],
    );
    const before = structuredClone(definition);
    expect(exampleOf(definition)).toMatchObject({
      title: 'A {{name}}',
      models: [{ model: 'm{{name}}' }],
      steps: [{ prompt: 'Ada' }],
    });
    expect(definition).toEqual(before);
  });

  it('keeps every JSON value that stands alone in an argument, and spells it in a text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const call: Step = {
          id: 'call',
          kind: 'toolCall',
          serverName: 's',
          toolName: 't',
          arguments: { given: '{{value}}', ...(value !== null && { said: '={{value}}' }) },
        };
        const result = filled({ steps: [call] }, { name: 'a', value });
        if (value === null) {
          expect(result).toMatchObject({ definition: { steps: [{ arguments: { given: null } }] } });
          return;
        }
        const spelled = typeof value === 'string' ? value : JSON.stringify(value);
        expect(result).toMatchObject({
          definition: { steps: [{ arguments: { given: value, said: `=${spelled}` } }] },
        });
      }),
    );
  });
});

describe('what is refused at authoring', () => {
  it.each<[string, Partial<EvalCaseDefinition>, string]>([
    ['inside a text', { steps: [prompt('Who is {{n}}?')] }, 'steps.0.prompt'],
    ['alone where only a text may stand', { expectedOutput: '{{n}}' }, 'expectedOutput'],
  ])('null %s, with its row and column', (_, fields, path) => {
    const problem = problemOf(
      caseOf(fields, [
        { name: 'Ada', n: 1 },
        { name: 'Bob', n: null },
      ]),
    );
    expect(problem?.path.join('.')).toBe(path);
    expect(problem?.message).toMatch(/^In the row "Bob": The column "n" is null/);
  });

  const row = { name: 'Ada', n: 1, blank: '' };

  const expecting = (args: object, argumentMatching?: 'exact' | 'partial'): Step => ({
    id: 'see',
    kind: 'assert',
    assertion: {
      type: 'toolCalledWith',
      toolName: 'weather',
      args: { args: { ...args }, ...(argumentMatching && { argumentMatching }) },
    },
  });

  it('a word that is expected as it is, or deeper than the types are, or written by hand', () => {
    const cities = [{ name: 'Ada', n: 'any' }];
    const steps = [expecting({ city: '{{n}}' }, 'exact'), expecting({ in: { city: '{{n}}' } })];
    const byHand = expecting({ city: 'any', who: '{{name}}' });
    const all = [...steps, byHand].map((step, at) => ({ ...step, id: `see-${at}` }));
    expect(problemOf(caseOf({ steps: [prompt('Go'), ...all] }, cities))).toBeUndefined();
  });

  it.each<[string, Partial<EvalCaseDefinition>, readonly object[], string, RegExp]>([
    [
      'an unknown name',
      { steps: [prompt('{{nane}}')] },
      [row],
      'steps.0.prompt',
      /no column "nane".*name, n/,
    ],
    ['an open template', { expectedOutput: 'x {{n' }, [row], 'expectedOutput', /\\\{\{/],
    [
      'a name that one row lacks',
      { steps: [prompt('{{n}}')] },
      [row, { name: 'Bob' }],
      'steps.0.prompt',
      /In the row "Bob": The row has no value for the column "n"/,
    ],
    [
      'a blank prompt',
      { steps: [prompt(' {{blank}}')] },
      [row],
      'steps.0.prompt',
      /row "Ada".*blank/,
    ],
    [
      'what no longer has its shape',
      {
        steps: [
          prompt('Go'),
          {
            id: 'see',
            kind: 'assert',
            assertion: { type: 'responseContains', needle: '{{blank}}' },
          },
        ],
      },
      [row],
      'steps.1.assertion.needle',
      /In the row "Ada"/,
    ],
    [
      'a word that is expected and stands for every value',
      { steps: [prompt('Go'), expecting({ city: '{{n}}' })] },
      [row, { name: 'Bob', n: ' Any' }],
      'steps.1.assertion.args.args.city',
      /In the row "Bob": " Any" is the name of a type and matches every value of it.*argumentMatching: exact/,
    ],
    ['an id without room', { declaredId: 'x'.repeat(116) }, [row], 'id', /at most 115/],
    [
      'a text that grows',
      { steps: [prompt('{{long}}'.repeat(200))] },
      [{ name: 'a', long: 'x'.repeat(1000) }],
      'steps.0.prompt',
      /more than 100,000/,
    ],
    [
      'too much in all',
      { steps: [prompt('x'.repeat(90_000))] },
      Array.from({ length: 600 }, (_, at) => ({ name: at })),
      'data.rows',
      /50,000,000/,
    ],
  ])('%s', (_what, fields, rows, path, message) => {
    const problem = problemOf(caseOf(fields, rows));
    expect(problem?.path.join('.')).toBe(path);
    expect(problem?.message).toMatch(message);
  });

  it('a pattern that one row spoils', () => {
    const list = [{ type: 'responseMatches' as const, pattern: '^{{n}}' }];
    const definition = caseOf({ checks: { mode: 'replace', list } }, [
      { name: 'a', n: 'x' },
      { name: 'b', n: '(' },
    ]);
    const problem = problemOf(definition, (assertion) =>
      'pattern' in assertion && assertion.pattern === '^(' ? 'It is open.' : undefined,
    );
    expect(problem).toEqual({
      path: ['checks', 'list', 0, 'pattern'],
      message: 'In the row "b": It is open.',
    });
  });

  it('nothing where all rows fit', () => {
    const rows = Array.from({ length: 600 }, (_, at) => ({ name: `r${at}`, n: at }));
    expect(problemOf(caseOf({ steps: [prompt('{{name}} {{n}}')] }, rows))).toBeUndefined();
  });
});

describe('many rows', () => {
  const rowsOf = (length: number) => Array.from({ length }, (_, at) => ({ name: at }));

  it('of a large case are looked at a few at a time, for others wait', () => {
    const pausesOf = (definition: DataCase) => [...checkRows(definition, () => undefined)].length;
    expect(pausesOf(caseOf({ steps: [prompt('x'.repeat(60_000))] }, rowsOf(50)))).toBe(50);
    expect(pausesOf(caseOf({ steps: [prompt('x')] }, rowsOf(600)))).toBe(2);
  });

  it('are bounded over all cases of a request, by their number and by what they come to', () => {
    const [few, most] = [caseOf({}, rowsOf(4000)), caseOf({}, rowsOf(5000))];
    expect(requestRowsProblem([most, most])).toBeUndefined();
    expect(requestRowsProblem([most, few, few])).toMatch(/10,000 rows .* 13,000/);
    const large = caseOf({ steps: [prompt('x'.repeat(90_000))] }, rowsOf(300));
    expect(requestRowsProblem([large])).toBeUndefined();
    expect(requestRowsProblem([large, large])).toMatch(/50,000,000/);
  });
});
