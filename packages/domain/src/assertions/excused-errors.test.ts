import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateAssertion } from './evaluate-assertion.ts';
import { sortSeenErrors } from './excused-errors.ts';
import { answered, boom, call, engines, text } from './seen.fixture.ts';
import type { CallResult, ToolCall, ToolError } from './transcript.ts';

const row = (more: object = {}, promptIndex?: number) => ({
  assertion: { type: 'toolCallFails', toolName: 'a', ...more },
  promptIndex,
});
const noCrash = (more: object = {}) => ({
  assertion: { type: 'toolDoesNotCrash', ...more } as ReturnType<typeof row>['assertion'],
  promptIndex: undefined,
});
const failed = (toolName: string, message: string, more: Partial<ToolCall> = {}) =>
  answered(toolName, boom(message), more);

function seen(made: readonly ToolCall[]) {
  const toolCalls = made.map((one, index) => ({ ...one, spanId: `tool-${index}` }));
  const toolErrors = toolCalls.flatMap(({ toolName, spanId, result }) =>
    result?.error === undefined ? [] : [{ toolName, spanId, ...result.error }],
  );
  return { toolCalls, toolErrors };
}
const cutError: CallResult = { error: { kind: 'content-error' }, isCut: true };

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
    ['does not count if it is no crash', [noCrash()], [failed('b', 'no city')], true],
    ['counts if it is a crash', [noCrash()], [failed('a', 'x is not a function')], false],
    [
      'counts if another tool must not crash',
      [noCrash({ toolName: 'b' })],
      [failed('a', 'x')],
      false,
    ],
    ['counts in another turn', [row({}, 1)], [failed('a', 'x', { promptIndex: 0 })], false],
    ['does not count in its turn', [row({}, 1)], [failed('a', 'x', { promptIndex: 1 })], true],
    [
      'is not known where its result was cut',
      [row({ messageContains: 'city' })],
      [answered('a', cutError)],
      'error',
    ],
    [
      'counts beside one that is not known',
      [row({ messageContains: 'city' })],
      [answered('a', cutError), failed('a', 'boom')],
      false,
    ],
    ['is known in a cut result by the tool alone', [row()], [answered('a', cutError)], true],
  ])('%s', (_name, rows, toolCalls, expected) => {
    expect(noToolErrors(rows, toolCalls)).toBe(expected);
  });

  const without = (more: Partial<ToolError>, stated = row()) => {
    const error: ToolError = { toolName: 'a', kind: 'content-error', spanId: 'tool-0', ...more };
    const toolCalls = [answered('a', text('fine'), { spanId: 'tool-0' })];
    return sortSeenErrors([stated], { toolCalls, toolErrors: [error] });
  };

  test('cannot be a result that breaks its own schema: the tool said that all went well', () => {
    expect(without({ resultProblem: 'It has no name.' }).counted).toHaveLength(1);
    const { passed, evaluatorError } = evaluateAssertion(row().assertion, {
      transcript: {
        toolCalls: [answered('a', text('fine'), { spanId: 'tool-0' })],
        toolErrors: [
          { toolName: 'a', kind: 'content-error', resultProblem: 'No name.', spanId: 'tool-0' },
        ],
      },
      ...engines,
    });
    expect({ passed, evaluatorError }).toEqual({ passed: false, evaluatorError: undefined });
  });

  test('cannot be a call that our own side lost', () => {
    expect(without({ kind: 'protocol-error', isOurs: true }).counted).toHaveLength(1);
  });

  test('is told by what the error says where its result was cut', () => {
    const toolCalls = [answered('a', cutError, { spanId: 'tool-0' })];
    const error = { toolName: 'a', kind: 'content-error', spanId: 'tool-0' } as const;
    const sort = (message: string) =>
      sortSeenErrors([row({ messageContains: 'city' })], {
        toolCalls,
        toolErrors: [{ ...error, message }],
      });
    expect(sort('No such city.').excused).toHaveLength(1);
    expect(sort('No such').unknown).toHaveLength(1);
  });

  test.each<[string, object, number | undefined, Partial<ToolError>, string]>([
    ['by its tool', {}, undefined, {}, 'excused'],
    ['by its message', { messageContains: 'city' }, undefined, { message: 'City?' }, 'excused'],
    ['not without its message', { messageContains: 'city' }, undefined, {}, 'unknown'],
    ['by another message', { messageContains: 'city' }, undefined, { message: 'x' }, 'counted'],
    ['not without its server', { serverName: 'S' }, undefined, {}, 'unknown'],
    ['not without its turn', {}, 1, {}, 'unknown'],
    ['by its turn', {}, 1, { promptIndex: 1 }, 'excused'],
    ['by another turn', {}, 1, { promptIndex: 0 }, 'counted'],
  ])('without its call it is known %s', (_name, more, promptIndex, errorFields, expected) => {
    const error: ToolError = { toolName: 'a', kind: 'content-error', ...errorFields };
    const sorted = sortSeenErrors([row(more, promptIndex)], {
      toolCalls: [call('a')],
      toolErrors: [error],
    });
    expect(sorted).toEqual({ excused: [], counted: [], unknown: [], [expected]: [error] });
  });

  test('is not stated by a row that cannot be read', () => {
    const rows = [row({ messageContains: 5 }), row({ toolName: null }), row({ serverName: {} })];
    expect(noToolErrors(rows, [failed('a', 'x')])).toBe(false);
  });
});

test('every error is sorted once, in its order, as its own call says', () => {
  const calls = fc.array(
    fc
      .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('city', 'boom', 'cut', 'fine'))
      .map(([toolName, end]) => {
        if (end === 'fine') return answered(toolName, text(end));
        return end === 'cut' ? answered(toolName, cutError) : failed(toolName, end);
      }),
    { maxLength: 6 },
  );
  const rows = fc.array(
    fc.record({ messageContains: fc.constantFrom('city', 'boom') }).map((more) => row(more)),
    { maxLength: 2 },
  );
  fc.assert(
    fc.property(rows, calls, (stated, made) => {
      const transcript = seen(made);
      const sorted = sortSeenErrors(stated, transcript);
      const standing = (error: ToolError) => {
        if (error.toolName !== 'a' || stated.length === 0) return 'counted';
        if (error.message === undefined) return 'unknown';
        const isStated = stated.some(
          ({ assertion }) =>
            (assertion as { messageContains?: string }).messageContains === error.message,
        );
        return isStated ? 'excused' : 'counted';
      };
      for (const list of ['excused', 'counted', 'unknown'] as const) {
        expect(sorted[list]).toEqual(
          transcript.toolErrors.filter((error) => standing(error) === list),
        );
      }
    }),
  );
});
