import { expect, test } from 'vitest';
import { parseSuiteFile } from './parse-suite-file.ts';

const right = `schemaVersion: "1"
mode: agentWorkflow
reportingMode: standard
suite: { id: weather, name: Weather }
target: { servers: [{ name: Sample }] }
defaults: { model: proofmark/lexical-1, repetitions: 1, passThreshold: 1, validity: {} }
cases:
  - id: lyon
    title: Lyon
    steps:
      - { id: ask, kind: prompt, prompt: Weather? }
      - id: called
        kind: assert
        assertion:
          type: toolCalledWith
          toolName: forecast
          args: { args: { city: Lyon } }
`;
const args = 'cases[0].steps[1].assertion.args';

test.each<[string, string, string, readonly string[]]>([
  [
    'arguments beside the second args',
    'args: { args: { city: Lyon } }',
    'args: { argumentMatching: exact, city: Lyon }',
    [
      `Line 17, column 17: ${args}: Write arguments: { … } in place of args, and argumentMatching beside it.`,
    ],
  ],
  [
    'tool for toolName',
    'toolName: forecast',
    'tool: forecast',
    [
      'Line 16, column 11: cases[0].steps[1].assertion.tool: Unknown key tool; did you mean toolName?',
    ],
  ],
  [
    'a type that is not there',
    'type: toolCalledWith',
    'type: toolCalled',
    [
      'Line 15, column 17: cases[0].steps[1].assertion.type: The type is unknown; did you mean toolCalledWith?',
    ],
  ],
  [
    'kind for type',
    'type: toolCalledWith',
    'kind: toolCalledWith',
    [
      'Line 15, column 17: cases[0].steps[1].assertion.kind: The kind is unknown; write textVisible, elementVisible, elementHidden, inputValue or widgetToolCalled.',
    ],
  ],
  [
    'no type',
    'type: toolCalledWith',
    'role: advisory',
    [
      expect.stringMatching(
        /^Line 15, column 11: cases\[0\]\.steps\[1\]\.assertion\.type: type is missing; write toolCalledWith, /,
      ) as unknown as string,
    ],
  ],
  [
    'a misspelt key at the top',
    'reportingMode:',
    'reportingMod:',
    ['Line 3, column 1: reportingMod: Unknown key reportingMod; did you mean reportingMode?'],
  ],
  [
    'a value that is not there',
    'reportingMode: standard',
    'reportingMode: short',
    ['Line 3, column 16: reportingMode: This must be "standard".'],
  ],
  [
    'a kind of step that is not there',
    'kind: prompt',
    'kind: prompts',
    ['Line 11, column 26: cases[0].steps[0].kind: The kind is unknown; did you mean prompt?'],
  ],
  [
    'a step without its kind',
    'kind: prompt, ',
    '',
    [
      'Line 11, column 9: cases[0].steps[0].kind: kind is missing; write prompt, toolCall, getPrompt, readResource, interact or assert.',
    ],
  ],
  [
    'a number as dialect',
    'schemaVersion: "1"',
    'schemaVersion: 1',
    ['Line 1, column 16: schemaVersion: schemaVersion must be "1" or "2", in quotes.'],
  ],
  [
    'no dialect',
    'schemaVersion: "1"\n',
    '',
    ['Line 1, column 1: schemaVersion: schemaVersion is missing; write "1" or "2", in quotes.'],
  ],
  [
    'text for a number',
    'repetitions: 1',
    'repetitions: three',
    ['Line 6, column 54: defaults.repetitions: This must be a number, not text.'],
  ],
  [
    'a part that was left empty',
    'validity: {}',
    'validity:',
    ['Line 6, column 85: defaults.validity: This must be an object with keys, not empty.'],
  ],
  [
    'two keys at once',
    'title: Lyon',
    'title: Lyon\n    assertion: []\n    zzz: 1',
    [
      'Line 10, column 5: cases[0].assertion: Unknown key assertion; did you mean assertions?',
      'Line 11, column 5: cases[0].zzz: Unknown key zzz; allowed here: assertions, expectedOutput, isNegativeTest, model, advancedConfig, passThreshold, trials, elicitations, timeoutMs, data, before, beforeTimeoutMs, after, afterTimeoutMs, disabled, import and repetitions.',
    ],
  ],
])('%s', (_title, part, mistake, messages) => {
  expect(right).toContain(part);
  const read = parseSuiteFile(right.replace(part, mistake));
  expect('findings' in read && read.findings.map(({ message }) => message)).toEqual(messages);
});

const short = `schemaVersion: "1"
suite: { id: shop, name: Shop }
target: { servers: [{ name: Books }] }
defaults: { model: proofmark/lexical-1 }
cases:
  - id: one
    title: One
`;
const otherColumn =
  'This line is indented differently from the keys around it; all keys of one map must begin in the same column.';

test.each<[string, string, string]>([
  [
    'no colon',
    'ask: Hi\n    calls get_book',
    'Line 9, column 5: The colon after calls is missing: calls: get_book',
  ],
  [
    'no colon before more keys',
    'ask What is it?\n    calls: a',
    'Line 8, column 5: The colon after ask is missing: ask: What is it?',
  ],
  [
    'no space after the colon',
    'ask:Hi\n    calls: a',
    'Line 8, column 5: Write a space after the colon: ask: Hi',
  ],
  [
    'no key at all',
    'ask: Hi\n    and more',
    'Line 9, column 5: This line has no key; write key: value, or indent the line further than its key if it continues a text.',
  ],
  [
    'a text with a colon',
    'ask: Note: what is it?',
    'Line 8, column 10: Put a text with a colon in quotes: "Note: what is it?"',
  ],
  ['a tab', 'ask: Hi\n\tcalls: a', 'Line 9, column 1: A tab indents this line; use spaces.'],
  ['a line too far in', 'ask: Hi\n      calls: a', `Line 9, column 7: ${otherColumn}`],
  ['a line too far out', 'ask: Hi\n   calls: a', `Line 9, column 1: ${otherColumn}`],
  [
    'a turn in the wrong place',
    'ask: Hi\n    - ask: Ho',
    'Line 9, column 1: A list cannot begin among the keys of a map; write it below a key of its own, such as then.',
  ],
  [
    'a quote that stays open',
    'ask: "Hi\n    calls: a',
    'Line 8, column 10: The text that begins here has no closing quote.',
  ],
  [
    'a parenthesis that stays open',
    'ask: Hi\n    calls: find(a: 1',
    'Line 9, column 12: This call has no closing parenthesis; write the whole call on one line.',
  ],
  [
    'a bracket that stays open',
    'ask: Hi\n    calls: [a, b\n    never: c',
    'Line 10, column 5: An opening bracket, { or [, before this line is not closed.',
  ],
  [
    'text after a quote',
    'ask: "Hi" there',
    'Line 8, column 15: Text follows a closing quote or bracket; put the whole value in quotes.',
  ],
  [
    'a text that begins like an alias',
    'ask: *hi*',
    'Line 8, column 10: Put a text that begins with * in quotes.',
  ],
  [
    'a text that begins with a reserved character',
    'ask: @bob',
    'Line 8, column 10: Put a text that begins with @ in quotes.',
  ],
  [
    'a template without quotes',
    'ask: {{city}} now',
    'Line 8, column 11: Put a text that begins with { or [ in quotes.',
  ],
  [
    'a call with a colon between brackets',
    'ask: Hi\n    then: [{ ask: Ho, calls: find(a: 1) }]',
    'Line 9, column 30: Between brackets, put a text or a call with a colon in quotes.',
  ],
  [
    'a misspelt key before a call',
    'ask: Hi\n    cals: find(a: 1, b: 2)',
    'Line 9, column 5: cases[0].cals: Unknown key cals; did you mean calls?',
  ],
  [
    'a word of the long form',
    'prompt: Hi',
    'Line 8, column 5: cases[0].prompt: Unknown key prompt; did you mean ask?',
  ],
  [
    'a short key in a step',
    'steps:\n      - ask: Hi',
    'Line 9, column 9: cases[0].steps[0].ask: ask is not a key of a step; write it as a key of the case, without steps.',
  ],
  [
    'a misspelt kind',
    'steps: [{ knd: prompt, prompt: Hi }]',
    'Line 8, column 15: cases[0].steps[0].knd: Unknown key knd; did you mean kind?',
  ],
  [
    'several tools without a list',
    'ask: Hi\n    never: a, b',
    'Line 9, column 12: cases[0].never: "a, b" is not the name of a tool; write several tools as a list: [a, b].',
  ],
  [
    'none for no tool',
    'ask: Hi\n    calls: none',
    'Line 9, column 12: cases[0].calls: Write [] for no call at all.',
  ],
  [
    'an empty calls',
    'ask: Hi\n    calls:',
    'Line 9, column 11: cases[0].calls: This is empty; name a tool, or write [] for no call at all.',
  ],
  [
    'calls in a list in brackets without quotes',
    'ask: Hi\n    calls: [find(title: Tea)]',
    'Line 9, column 13: cases[0].calls[0]: In a list in brackets, put every call in quotes: ["find(…)"]; or write each call on a line of its own, after a dash.',
  ],
  [
    'an empty says',
    'ask: Hi\n    says: []',
    'Line 9, column 5: cases[0].says: An empty list checks nothing; remove says.',
  ],
  [
    'an equals sign',
    'ask: Hi\n    calls: find(title=Tea)',
    'Line 9, column 12: cases[0].calls: The arguments of find: write a colon between name and value: title: Tea.',
  ],
  [
    'braces in parentheses',
    'ask: Hi\n    calls: find({title: Tea})',
    'Line 9, column 12: cases[0].calls: The arguments of find: remove the braces: write name: value between the parentheses.',
  ],
  [
    'a list without dashes',
    'ask: Hi\n    assertions: { type: noToolErrors }',
    'Line 9, column 17: cases[0].assertions: This must be a list; begin every entry with a dash.',
  ],
])('%s is told once, with its line and what to write', (_title, keys, finding) => {
  const read = parseSuiteFile(`${short}    ${keys}\n`);
  expect('findings' in read && read.findings.map(({ message }) => message)).toEqual([finding]);
});
