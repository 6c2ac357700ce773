/**
 * Typical mistakes in a first suite file, and their messages, which name the position and the
 * correct text.
 */
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
      `Line 17, column 17: ${args}.args: args.args is missing; write args: { args: { … } }.`,
      `Line 17, column 44: ${args}.city: Arguments beside args or argumentMatching belong one level deeper: write args: { args: { city: … } }.`,
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
      'Line 11, column 5: cases[0].zzz: Unknown key zzz; allowed here: assertions, expectedOutput, isNegativeTest, model, advancedConfig, passThreshold, elicitations, timeoutMs, data, before, beforeTimeoutMs, after, afterTimeoutMs, disabled, import and repetitions.',
    ],
  ],
])('%s', (_title, part, mistake, messages) => {
  expect(right).toContain(part);
  const read = parseSuiteFile(right.replace(part, mistake));
  expect('findings' in read && read.findings.map(({ message }) => message)).toEqual(messages);
});
