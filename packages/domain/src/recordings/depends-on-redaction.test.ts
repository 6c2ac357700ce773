import { expect, test } from 'vitest';
import type { Assertion } from '../assertions/assertion.ts';
import { evaluateKnownAssertion } from '../assertions/evaluate-assertion.ts';
import { dependsOnRedaction, notingMarks } from './depends-on-redaction.ts';

const called = (input: object) => ({ toolCalls: [{ toolName: 'login', arguments: input }] });
const says = (finalAssistantMessage: string) => ({ toolCalls: [], finalAssistantMessage });
const patterns = {
  test: (pattern: string, text: string) => new RegExp(pattern).test(text),
} as never;

test.each<[string, Assertion, object, boolean]>([
  [
    'a word that may have stood there',
    { type: 'responseContains', needle: 'abc' },
    says('I use [redacted].'),
    true,
  ],
  [
    'a word that stands beside it',
    { type: 'responseContains', needle: 'use' },
    says('I use [redacted].'),
    false,
  ],
  ['a text without any', { type: 'responseContains', needle: 'abc' }, says('I use it.'), false],
  [
    'an argument that was taken out',
    { type: 'toolCalledWith', toolName: 'login', args: { args: { token: 'abc' } } },
    called({ token: '[redacted]', user: 'me' }),
    true,
  ],
  [
    'an argument beside it',
    { type: 'toolCalledWith', toolName: 'login', args: { args: { user: 'me' } } },
    called({ token: '[redacted]', user: 'me' }),
    false,
  ],
  [
    'that a tool was called at all',
    { type: 'toolCalledAtLeastOnce', toolName: 'login' },
    called({ token: '[redacted]' }),
    false,
  ],
  [
    'a pattern that nothing meets',
    { type: 'responseMatches', pattern: 'tok-[0-9]+' },
    says('I use [redacted].'),
    true,
  ],
  [
    'a pattern that nothing meets, beside a call that holds one',
    { type: 'responseMatches', pattern: 'tok-[0-9]+' },
    { ...called({ token: '[redacted]' }), finalAssistantMessage: 'I use it.' },
    false,
  ],
  [
    'closeness that what was taken out may have made, beside other words',
    { type: 'responseCloseTo', reference: 'Your token is tok abc 12 now', threshold: 0.9 },
    says('Your token is: [redacted], now!! ok'),
    true,
  ],
  [
    'closeness that nothing there could have made',
    { type: 'responseCloseTo', reference: 'Your token is abc', threshold: 0.9 },
    says('The parcel with [redacted] was lost on its long way to the shop.'),
    false,
  ],
  ['that something was said', { type: 'finalAssistantMessageNonEmpty' }, says('[redacted]'), true],
])('%s', (_, assertion, transcript, expected) => {
  const { sawMark, ...engines } = notingMarks({ patterns, schemas: undefined as never });
  const passes = (filled: unknown) =>
    evaluateKnownAssertion(assertion, { transcript: filled as never, ...engines }).passed;
  expect(dependsOnRedaction(assertion, transcript, passes, sawMark)).toBe(expected);
});
