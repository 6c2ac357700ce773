import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateAssertion } from './evaluate-assertion.ts';
import { excusedCalls, excusedErrors } from './excused-errors.ts';
import { answered, boom, call, engines, text } from './seen.fixture.ts';
import type { ToolCall } from './transcript.ts';

const row = (more: object = {}, promptIndex?: number) => ({
  assertion: { type: 'toolCallFails', toolName: 'a', ...more },
  promptIndex,
});
const failed = (toolName: string, message: string, more: Partial<ToolCall> = {}) =>
  answered(toolName, boom(message), more);

function seen(toolCalls: readonly ToolCall[]) {
  const toolErrors = toolCalls.flatMap(({ toolName, result }) =>
    result?.error === undefined ? [] : [{ toolName, ...result.error }],
  );
  return { toolCalls, toolErrors };
}

function noToolErrors(rows: readonly ReturnType<typeof row>[], toolCalls: readonly ToolCall[]) {
  const { passed, evaluatorError } = evaluateAssertion(
    { type: 'noToolErrors' },
    { transcript: seen(toolCalls), ...engines, siblings: rows },
  );
  return evaluatorError === true ? 'error' : passed;
}

describe('an error that a row states', () => {
  test.each<[string, ReturnType<typeof row>[], ToolCall[], boolean | 'error']>([
    ['does not count', [row()], [failed('a', 'no city')], true],
    ['counts without a row', [], [failed('a', 'no city')], false],
    ['counts for another tool', [row()], [failed('b', 'no city')], false],
    ['counts beside a stated one', [row()], [failed('a', 'x'), failed('b', 'y')], false],
    ['is known by its message', [row({ messageContains: 'CITY' })], [failed('a', 'no city')], true],
    [
      'counts with another message',
      [row({ messageContains: 'city' })],
      [failed('a', 'no city'), failed('a', 'boom')],
      false,
    ],
    [
      'is known by its server',
      [row({ serverName: 'S' })],
      [failed('a', 'x', { serverName: 'S' }), answered('a', text('fine'), { serverName: 'T' })],
      true,
    ],
    [
      'counts for another server',
      [row({ serverName: 'S' })],
      [failed('a', 'x', { serverName: 'T' })],
      false,
    ],
    ['counts where the row only advises', [row({ role: 'advisory' })], [failed('a', 'x')], false],
    ['counts in another turn', [row({}, 1)], [failed('a', 'x', { promptIndex: 0 })], false],
    ['does not count in its turn', [row({}, 1)], [failed('a', 'x', { promptIndex: 1 })], true],
  ])('%s', (_name, rows, toolCalls, expected) => {
    expect(noToolErrors(rows, toolCalls)).toBe(expected);
  });

  test('has no answer where what it says was not captured', () => {
    const toolErrors = [{ toolName: 'a', kind: 'content-error' as const }];
    const sorted = excusedErrors([row({ messageContains: 'city' })], {
      toolCalls: [call('a')],
      toolErrors,
    });
    expect(sorted).toEqual({ excused: [], counted: [], unknown: toolErrors });
  });

  test('is known without its result where the tool alone is named', () => {
    const toolErrors = [{ toolName: 'a', kind: 'protocol-error' as const }];
    const sorted = excusedErrors([row()], { toolCalls: [call('a')], toolErrors });
    expect(sorted.excused).toEqual(toolErrors);
  });
});

test('the calls that failed as stated are told, and no others', () => {
  const calls = [failed('a', 'city'), failed('a', 'x'), answered('a', text('fine')), call('a')];
  expect(excusedCalls([row({ messageContains: 'city' })], calls)).toEqual([calls[0]]);
});

test('every error is sorted once, and none is excused that no call and no row accounts for', () => {
  const calls = fc.array(
    fc
      .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('city', 'boom', undefined))
      .map(([toolName, message]) =>
        message === undefined ? answered(toolName, text('fine')) : failed(toolName, message),
      ),
    { maxLength: 6 },
  );
  const rows = fc.array(
    fc.record({ messageContains: fc.constantFrom('city', 'boom') }).map((more) => row(more)),
    { maxLength: 2 },
  );
  fc.assert(
    fc.property(rows, calls, (stated, toolCalls) => {
      const transcript = seen(toolCalls);
      const { excused, counted, unknown } = excusedErrors(stated, transcript);
      expect(unknown).toEqual([]);
      expect(new Set([...excused, ...counted])).toEqual(new Set(transcript.toolErrors));
      expect(excused.length + counted.length).toBe(transcript.toolErrors.length);
      expect(excused.length).toBe(excusedCalls(stated, toolCalls).length);
    }),
  );
});
