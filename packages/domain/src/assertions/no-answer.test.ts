import { describe, expect, test } from 'vitest';
import { evaluateAssertion } from './evaluate-assertion.ts';
import { sortErrors } from './excused-errors.ts';
import { saysUnknownTool } from './no-answer.ts';
import { engines } from './seen.fixture.ts';

const ended = 'The process of the server ended (exit code 9) before it answered.';

function outcomeOf(
  error: { kind: 'protocol-error' | 'content-error'; message: string },
  more = {},
) {
  const call = { toolName: 'get_parcel', arguments: { parcelId: 'x' }, result: { error } };
  const transcript = {
    toolCalls: [call],
    toolErrors: [{ toolName: 'get_parcel', ...error }],
    listedTools: [{ name: 'get_parcels' }],
  };
  const assertion = { type: 'toolCallFails', toolName: 'get_parcel', ...more };
  const { counted } = sortErrors([{ assertion }], transcript.toolErrors, () => call);
  const { passed, reason } = evaluateAssertion(assertion, { transcript, ...engines });
  return { passed, reason, counted: counted.length };
}

describe('an expected failure', () => {
  test.each([
    ended,
    'The server answered with HTTP 502.',
    'The server sent an answer that is not valid MCP.',
    'The server answered with something that is neither JSON nor a stream of events.',
  ])('is an answer of the tool, not “%s”', (message) => {
    const lost = outcomeOf({ kind: 'protocol-error', message });
    expect(lost).toMatchObject({ passed: false, counted: 1 });
    expect(lost.reason).toContain('The last call got no answer: ');
    expect(outcomeOf({ kind: 'protocol-error', message }, { messageContains: 'the' }).passed).toBe(
      false,
    );
  });

  test.each([
    ['protocol-error', 'The server answered with an error: Invalid params'],
    ['protocol-error', 'The server answered with HTTP 400.'],
    ['content-error', ended],
    ['content-error', 'There is no parcel x.'],
  ] as const)('may be any answer that is an error: %s, “%s”', (kind, message) => {
    expect(outcomeOf({ kind, message })).toMatchObject({ passed: true, counted: 0 });
  });

  test('is not that the server lacks the tool, unless this text is given', () => {
    const unknown = { kind: 'content-error', message: 'Tool get_parcel not found' } as const;
    expect(outcomeOf(unknown)).toMatchObject({ passed: false, counted: 1 });
    expect(outcomeOf(unknown).reason).toContain('did you mean "get_parcels"?');
    expect(outcomeOf(unknown, { messageContains: 'not found' }).passed).toBe(true);
  });
});

test.each([
  ['MCP error -32602: Tool get_book not found', true],
  ['Unknown tool: get_book', true],
  ["Unknown tool: 'get_book'", true],
  ['The server answered with an error: Tool "get_book" not found', true],
  ['No such tool: get_book', true],
  ['Tool get_book does not exist', true],
  ['Unknown tool: get_book_page', false],
  ['Tool get_book: book 7 not found', false],
  ['Book 7 not found', false],
  ['Error in tool get_book: no such book', false],
])('“%s” says that there is no such tool: %j', (message, expected) => {
  expect(saysUnknownTool(message, 'get_book')).toBe(expected);
});
