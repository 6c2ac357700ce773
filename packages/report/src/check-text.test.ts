import type { Assertion } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { checkText } from './check-text.ts';

test.each([
  [{ type: 'noToolErrors' }, 'No tool fails'],
  [{ type: 'noToolErrors', role: 'advisory', severity: 'warn' }, 'No tool fails (advises only)'],
  [{ type: 'responseContains', needle: 'four' }, 'The last answer contains a text: "four"'],
  [
    { type: 'responseContains', needle: 'four', caseSensitive: true },
    'The last answer contains a text: text "four", upper and lower case count true',
  ],
  [
    { type: 'toolCalledWith', toolName: 'add', args: { args: { a: 1 } } },
    'A tool is called with these arguments: add(a: 1)',
  ],
  [
    { type: 'toolCalledWith', toolName: 'add', args: { args: {} }, minCount: 2 },
    'A tool is called with these arguments: add(), at least so many times 2',
  ],
  [
    { type: 'toolCalledWith', toolName: 'add', args: '{{args}}' },
    'A tool is called with these arguments: tool "add", arguments "{{args}}"',
  ],
  [{ kind: 'text', text: 'Paid' }, 'Widget: text: "Paid"'],
] as const)('%j is told as %s', (assertion, text) => {
  expect(checkText(assertion as unknown as Assertion)).toBe(text);
});
