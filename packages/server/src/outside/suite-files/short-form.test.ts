import { canonicalJson, SuiteFile } from '@proofmark/domain';
import { suiteFile } from '@proofmark/harness/suite-file.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseSuiteFile } from './parse-suite-file.ts';
import { quoteCalls } from './quote-calls.ts';
import { writeSuiteFile } from './write-suite-file.ts';

const head = `schemaVersion: "1"
suite: { id: shop, name: Shop }
target: { servers: [{ name: Books }] }
defaults: { model: proofmark/lexical-1 }
cases:
  - id: one
    title: One
`;
const contract = head.replace('defaults: { model: proofmark/lexical-1 }', 'mode: serverContract');

function stepsOf(text: string): unknown[] {
  const read = parseSuiteFile(text);
  if ('findings' in read) throw new Error(read.findings.map(({ message }) => message).join('\n'));
  return read.file.cases.flatMap(({ steps }) => steps);
}

function findingsOf(text: string): string[] {
  const read = parseSuiteFile(text);
  return 'findings' in read ? read.findings.map(({ message }) => message) : [];
}

const asserted = (step: number, assertion: object) => ({
  id: `step-${step}`,
  kind: 'assert',
  assertion,
});
const called = (toolName: string, args: object) => ({
  type: 'toolCalledWith',
  toolName,
  args: { args },
});

test('every key stands for its steps, in the order of a turn', () => {
  const steps = stepsOf(
    `${head}    says: 31
    never: order_book
    returns: [The Quiet Compiler, "31"]
    ask: What does book 3 cost?
    calls: get_book(bookId: 3)
    then:
      - ask: Thanks
        calls: []
      - call: get_book(bookId: 99)
        fails: there is no book
      - call: { get_book: { bookId: x } }
        fails: true
`.replace('says: 31', 'says: "31"'),
  );
  expect(steps).toEqual([
    { id: 'step-1', kind: 'prompt', prompt: 'What does book 3 cost?' },
    asserted(2, called('get_book', { bookId: 3 })),
    asserted(3, { type: 'toolNeverCalled', toolName: 'order_book' }),
    asserted(4, { type: 'toolResultContains', needle: 'The Quiet Compiler' }),
    asserted(5, { type: 'toolResultContains', needle: '31' }),
    asserted(6, { type: 'responseContains', needle: '31' }),
    { id: 'step-7', kind: 'prompt', prompt: 'Thanks' },
    asserted(8, { type: 'toolCallCountUnder', count: 1 }),
    {
      id: 'step-9',
      kind: 'toolCall',
      serverName: 'Books',
      toolName: 'get_book',
      arguments: { bookId: 99 },
    },
    asserted(10, {
      type: 'toolCallFails',
      toolName: 'get_book',
      messageContains: 'there is no book',
    }),
    {
      id: 'step-11',
      kind: 'toolCall',
      serverName: 'Books',
      toolName: 'get_book',
      arguments: { bookId: 'x' },
    },
    asserted(12, { type: 'toolCallFails', toolName: 'get_book' }),
  ]);
});

test.each<[string, string, [string, object][]]>([
  ['a tool', 'calls: get_book', [['get_book', {}]]],
  ['a tool without arguments', 'calls: get_book()', [['get_book', {}]]],
  [
    'no quotes',
    'calls: get_book(bookId: 3, title: A b)',
    [['get_book', { bookId: 3, title: 'A b' }]],
  ],
  ['quotes', `calls: 'get_book(title: "a: b")'`, [['get_book', { title: 'a: b' }]]],
  [
    'a list in lines, with a comment',
    'calls:\n    - a(x: [1, {y: "# )"}]) # why\n    - b(x: true)\n    - { c: { d: null } }',
    [
      ['a', { x: [1, { y: '# )' }] }],
      ['b', { x: true }],
      ['c', { d: null }],
    ],
  ],
  [
    'maps',
    'calls:\n      - a:\n          x: 1\n      - { tool: b, arguments: { y: 2 } }\n      - { tool: c }\n      - { tool: { z: 3 } }',
    [
      ['a', { x: 1 }],
      ['b', { y: 2 }],
      ['c', {}],
      ['tool', { z: 3 }],
    ],
  ],
  [
    'a list on one line',
    'calls: [a, "b(x: 1)"]',
    [
      ['a', {}],
      ['b', { x: 1 }],
    ],
  ],
])('a call may be written as %s', (_title, calls, expected) => {
  const [, ...steps] = stepsOf(`${head}    ask: Hi\n    ${calls}\n`);
  expect(steps).toEqual(expected.map(([tool, args], at) => asserted(at + 2, called(tool, args))));
});

test('a call may name its server', () => {
  const two = head.replace('[{ name: Books }]', '[{ name: Books }, { name: Mail }]');
  const call = '{ server: Mail, tool: send, arguments: { to: Ada } }';
  expect(stepsOf(`${two}    call: ${call}\n    fails: true\n`)).toMatchObject([
    { kind: 'toolCall', serverName: 'Mail', toolName: 'send', arguments: { to: 'Ada' } },
    { assertion: { type: 'toolCallFails', serverName: 'Mail', toolName: 'send' } },
  ]);
  expect(findingsOf(`${two}    call: send(to: Ada)\n`)).toEqual([
    'Line 8, column 11: cases[0].call: The suite has no server or more than one, so every call must name its server: { server: …, tool: …, arguments: … }.',
  ]);
});

test('no tool at all is asked of a first turn by name', () => {
  expect(stepsOf(`${head}    ask: Hi\n    calls: []\n`)[1]).toMatchObject({
    assertion: { type: 'onlyToolsCalled', toolNames: [] },
  });
});

test('a server contract calls and asks nothing', () => {
  expect(
    stepsOf(`${contract}    call: a\n    returns: x\n    then: [{ call: b, fails: true }]\n`),
  ).toHaveLength(4);
  expect(findingsOf(`${contract}    ask: Hi\n`)).toEqual([
    'Line 8, column 5: cases[0].ask: A server contract asks no model, so it cannot have ask; use call to call the tool.',
  ]);
});

test.each<[string, string, string]>([
  [
    'a misspelt key',
    'ask: Hi\n    cals: get_book',
    'Line 9, column 5: cases[0].cals: Unknown key cals; did you mean calls?',
  ],
  [
    'a misspelt only key',
    'aks: Hi',
    'Line 8, column 5: cases[0].aks: Unknown key aks; did you mean ask?',
  ],
  [
    'a misspelt key of the long form',
    'stepps: []',
    'Line 8, column 5: cases[0].stepps: Unknown key stepps; did you mean steps?',
  ],
  [
    'a misspelt key of a turn',
    'ask: Hi\n    then:\n      - aks: Hi',
    'Line 10, column 9: cases[0].then[0].aks: Unknown key aks; did you mean ask?',
  ],
  [
    'nothing to do',
    'timeoutMs: 1000',
    'Line 6, column 5: cases[0]: This case does nothing; add ask or call.',
  ],
  [
    'two forms',
    'ask: Hi\n    steps: [{ kind: prompt, prompt: Hi }]',
    'Line 8, column 5: cases[0].ask: A case has either steps or the short keys; move ask into steps, or remove steps.',
  ],
  [
    'call beside calls',
    'call: a\n    calls: b',
    'Line 9, column 5: cases[0].calls: A turn cannot have both call and calls: call makes the call itself, calls expects it from the model.',
  ],
  [
    'fails without a call',
    'ask: Hi\n    fails: true',
    'Line 9, column 5: cases[0].fails: fails needs a call; add call to this turn.',
  ],
  [
    'fails of two calls',
    'call: [a, b]\n    fails: true',
    'Line 9, column 5: cases[0].fails: fails allows only one call in its turn; use then to give every call its own turn.',
  ],
  [
    'a number for a text',
    'ask: Hi\n    says: 31',
    'Line 9, column 11: cases[0].says: This must be text; put it in quotes: "31".',
  ],
  [
    'then without a list',
    'ask: Hi\n    then:\n      ask: Hi',
    'Line 10, column 7: cases[0].then: then must be a list of turns; begin every turn with a dash, as in - ask: ….',
  ],
  [
    'an argument without a name',
    'ask: Hi\n    calls: get_book(3)',
    'Line 9, column 12: cases[0].calls: The arguments of get_book: 3 needs a name, as in name: 3.',
  ],
  [
    'no space after the colon',
    'ask: Hi\n    calls: get_book(bookId:3)',
    'Line 9, column 12: cases[0].calls: The arguments of get_book: write a space after the colon: bookId: 3.',
  ],
  [
    'arguments beside the tool',
    'ask: Hi\n    calls:\n      get_book:\n      bookId: 3',
    'Line 10, column 7: cases[0].calls: The arguments of get_book belong below its name, indented further; or write get_book(bookId: …).',
  ],
  [
    'an empty key',
    'ask:\n    calls: a',
    'Line 8, column 9: cases[0].ask: This is empty; write the message of the user.',
  ],
  [
    'a template without quotes',
    'ask: Hi\n    calls: find(city: {{city}})',
    'Line 9, column 12: cases[0].calls: The arguments of find: write name: value, separated by commas; put a text with a comma, colon, # or bracket in quotes.',
  ],
  [
    'arguments of never',
    'ask: Hi\n    never: drop(x)',
    'Line 9, column 12: cases[0].never: Under never, write only the name of the tool, without arguments: drop.',
  ],
  [
    'what the long form refuses',
    `ask: Hi\n    returns: [x, ${'y'.repeat(5001)}]`,
    'Line 9, column 18: cases[0].returns[1]: This must have at most 5000 characters.',
  ],
])('%s is one finding at its line', (_title, keys, finding) => {
  expect(findingsOf(`${head}    ${keys}\n`)).toEqual([finding]);
});

test('quotes are put around calls alone, and no line moves', () => {
  const text = `cases:
  - id: a
    ask: |
      - f(a: b)
      calls: f(a: b)
    calls:
    - get_book(bookId: 3, it: 'it''s # so') # as typed
    - plain
    then:
      - call: g(x: "a)", y: [1, 2])
        fails: it(x: y)
    data: { rows: [{ calls: 1 }] }
    steps:
      - arguments:
          calls:
            - f(a: b)
`;
  const quoted = text
    .replace(`get_book(bookId: 3, it: 'it''s # so')`, `'get_book(bookId: 3, it: ''it''''s # so'')'`)
    .replace('g(x: "a)", y: [1, 2])', `'g(x: "a)", y: [1, 2])'`);
  expect(quoteCalls(text)).toBe(quoted);
});

test('no document without a call changes', () => {
  const word = fc.constantFrom(
    'cases',
    'call',
    'calls',
    'then',
    'ask',
    'f(a',
    'f(a: b)',
    '- f(a: b)',
    'x #',
    ' ',
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      word,
      fc.string(),
      fc.integer(),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(word, fc.string()), tie('any'), { maxKeys: 3 }),
    ),
  })).any;
  fc.assert(
    fc.property(value, (one) => {
      const text = stringify(one, { lineWidth: 20 });
      const inArguments = `steps:\n${stringify({ calls: one, call: [one] }).replaceAll(/^/gm, '  ')}`;
      expect(quoteCalls(text)).toBe(text);
      expect(quoteCalls(inArguments)).toBe(inArguments);
      expect(quoteCalls(JSON.stringify({ cases: [{ calls: one }] }))).toBe(
        JSON.stringify({ cases: [{ calls: one }] }),
      );
    }),
  );
});

const words = fc.constantFrom(
  'yes',
  '31',
  'a: b',
  "it's # so",
  '"',
  '(x)',
  'true',
  'get_book',
  'é\u2028',
  'Ida Moreau',
  '{{x}}',
  'a,b',
);
const anyText = fc.oneof(
  words,
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 120 })
    .filter((one) => one.isWellFormed() && !one.includes('\0')),
);
const anyTool = fc.oneof(
  fc.constantFrom('get_book', 'a-b.c/d', 'tool', 'constructor'),
  anyText.map((one) => one.slice(0, 40)).filter((one) => one.isWellFormed()),
);
const anyArguments = fc
  .dictionary(
    anyText.filter((one) => one !== '__proto__'),
    fc.oneof(
      anyText,
      fc.jsonValue({ maxDepth: 2 }).filter((one) => !/\\u|__proto__/.test(JSON.stringify(one))),
    ),
    { maxKeys: 3, noNullPrototype: true },
  )
  .map((one) => JSON.parse(JSON.stringify(one)) as Record<string, unknown>);
const anyAssertion = fc.oneof(
  fc.record({
    type: fc.constant('toolCalledWith'),
    toolName: anyTool,
    args: fc.record({ args: anyArguments }),
  }),
  fc.constantFrom(
    {
      type: 'toolCalledWith',
      toolName: 'a',
      serverName: 'Books',
      args: { args: { x: 1 }, argumentMatching: 'exact' },
    },
    { type: 'toolCalledWith', toolName: 'a', serverName: 'Books', args: { args: { x: 1 } } },
    { type: 'toolCalledWith', toolName: 'a', args: { args: {} }, minCount: 2 },
    { type: 'onlyToolsCalled', toolNames: [] },
    { type: 'onlyToolsCalled', toolNames: ['a'] },
    { type: 'toolCallCountUnder', count: 1 },
    { type: 'toolCallCountUnder', count: 2 },
    { type: 'toolCallFails', toolName: 'get_book' },
    { type: 'toolCallFails', toolName: 'get_book', messageContains: 'no book' },
    { type: 'noToolErrors' },
    { type: 'responseContains', needle: 'x', caseSensitive: true },
  ),
  fc.record({ type: fc.constant('toolNeverCalled'), toolName: anyTool }),
  fc.record({ type: fc.constantFrom('responseContains', 'toolResultContains'), needle: anyText }),
);
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('prompt'), prompt: anyText }),
  fc.record({
    kind: fc.constant('toolCall'),
    serverName: fc.constantFrom('Books', 'Books', 'Mail'),
    toolName: fc.oneof(fc.constant('get_book'), anyTool),
    arguments: anyArguments,
  }),
  fc.record({ kind: fc.constant('assert'), assertion: anyAssertion }),
  fc.record({ kind: fc.constant('assert'), assertion: anyAssertion }),
);
const anyFile = fc
  .record({
    steps: fc.array(anyStep, { minLength: 1, maxLength: 6 }),
    servers: fc.constantFrom([{ name: 'Books' }], [{ name: 'Books' }, { name: 'Mail' }]),
    ownIds: fc.boolean(),
    isContract: fc.boolean(),
  })
  .map(({ steps, servers, ownIds, isContract }): SuiteFile => {
    const asksModel = (one: { kind: string }) => one.kind === 'prompt';
    const list = isContract
      ? [{ kind: 'readResource', serverName: 'Books', uri: 'x' }, ...steps].filter(
          (one) => !asksModel(one),
        )
      : steps;
    const numbered = list
      .slice(isContract && list.length > 1 ? 1 : 0)
      .map((one, at) => ({ id: ownIds ? `s${at}` : `step-${at + 1}`, ...one }));
    const changes = {
      target: { servers },
      ...(isContract && {
        mode: 'serverContract',
        defaults: { repetitions: 1, passThreshold: 1, validity: {} },
      }),
      cases: [{ id: 'one', title: 'One', steps: numbered }],
    };
    return SuiteFile.parse(suiteFile('any', changes as never));
  });

test('what is written short is read as the same suite, and so is what cannot be', () => {
  let short = 0;
  fc.assert(
    fc.property(anyFile, (file) => {
      const text = writeSuiteFile(file, 'yaml');
      if (!text.includes('steps:')) short += 1;
      const read = parseSuiteFile(text);
      if ('findings' in read) throw new Error(`${text}\n${read.findings[0].message}`);
      expect(canonicalJson(read.file)).toBe(canonicalJson(file));
      expect(writeSuiteFile(read.file, 'yaml')).toBe(text);
    }),
    { numRuns: 500 },
  );
  expect(short).toBeGreaterThan(25);
});

test('the text of the short form is this', () => {
  const keys = `    ask: What does book 3 cost?
    calls: 'get_book(bookId: 3, title: "a: b")'
    never: order_book
    returns:
      - The Quiet Compiler
      - "31"
    says: euro
    then:
      - call:
          - get_book(bookId: 4)
          - list_books
      - call: get_book(bookId: 99)
        fails: there is no book
      - ask: Thanks
        calls: []
`;
  const read = parseSuiteFile(`${head}${keys}`);
  if ('findings' in read) throw new Error(read.findings[0].message);
  const quoted = keys.replaceAll(/(get_book\(bookId: [49]+\))/g, '"$1"');
  const cases = `cases:\n  - id: one\n    title: One\n${quoted}`;
  expect(writeSuiteFile(read.file, 'yaml', ['cases'])).toBe(cases);
});

test('what cannot be said short is still short where it can be', () => {
  const text = `${head}    steps:
      - kind: prompt
        prompt: Hi
      - id: own
        kind: assert
        assertion:
          type: toolCalledWith
          toolName: get_book
          arguments:
            bookId: 3
          argumentMatching: exact
      - kind: readResource
        uri: book://3
`;
  const read = parseSuiteFile(text);
  if ('findings' in read) throw new Error(read.findings[0].message);
  expect(writeSuiteFile(read.file, 'yaml', ['cases'])).toBe(text.slice(text.indexOf('cases:')));
});

test.each([
  ['ask: Where is order #5?', 'cases[0].ask', '"#5?"'],
  ['ask: Where # a greeting', undefined, ''],
  ['ask: "Where is order #5?"', undefined, ''],
  ['ask: Where is order#5?', undefined, ''],
  ['ask: Where?\n    says:\n      - one\n      - order #A7', 'cases[0].says[1]', '"#A7"'],
  [
    'ask: Where?\n    assertions:\n      - type: responseContains\n        needle: order #A7',
    'cases[0].assertions[0].needle',
    '"#A7"',
  ],
  [
    'ask: Where?\n    data:\n      key: order\n      rows:\n        - order: Order #A7',
    'cases[0].data.rows[0].order',
    '"#A7"',
  ],
])('a text that ends at a # is told, a comment is not: %s', (written, path, shown) => {
  const text = `schemaVersion: "1"
suite: { id: a, name: A } #1
target: { servers: [{ name: Shop }] }
defaults: { model: proofmark/lexical-1 }
cases:
  - id: one
    title: One
    ${written}
    calls: list_books
`;
  const read = parseSuiteFile(text);
  if ('findings' in read) throw new Error(read.findings[0].message);
  if (path === undefined) {
    expect(read.cut).toBeUndefined();
    return;
  }
  expect(read.cut).toEqual([
    {
      path,
      message: expect.stringMatching(
        new RegExp(
          `^Line \\d+, column \\d+: YAML takes ${shown.replace('?', '\\?')} for a comment`,
        ),
      ),
    },
  ]);
});
