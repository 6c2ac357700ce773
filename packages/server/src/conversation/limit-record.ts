/**
 * Limits the size of the calls and turn summaries in a trial's record. All entries are kept. First,
 * long values are cut. If the record is still too large, all arguments and the later entries of
 * inner lists are removed.
 */
import type { ToolCall, TurnSummary } from '@proofmark/domain';
import { shorten, sizeOf } from './limit-trace.ts';

export function limitCalls<Call extends ToolCall>(calls: readonly Call[]): readonly Call[] {
  if (sizeOf(calls, maxSectionBytes) <= maxSectionBytes) return calls;
  const shorter = calls.map(shortCall);
  return sizeOf(shorter, maxSectionBytes) <= maxSectionBytes ? shorter : calls.map(bareCall);
}

/** One limit applies to the calls of all turns together. */
export function limitCallsOfTurns<Call extends ToolCall>(
  turns: readonly (readonly Call[])[],
): readonly (readonly Call[])[] {
  const limited = limitCalls(turns.flat());
  let taken = 0;
  return turns.map(({ length }) => {
    taken += length;
    return limited.slice(taken - length, taken);
  });
}

export function limitTurns(turns: readonly TurnSummary[]): readonly TurnSummary[] {
  if (sizeOf(turns, maxSectionBytes) <= maxSectionBytes) return turns;
  const shorter = turns.map((turn) => withCalls(turn, shortCall, Number.POSITIVE_INFINITY));
  return sizeOf(shorter, maxSectionBytes) <= maxSectionBytes
    ? shorter
    : turns.map((turn) => withCalls(turn, bareCall, fewestKept));
}

/** The limit for all calls, and separately for all turn summaries. */
const maxSectionBytes = 1024 * 1024;
const fewestKept = 5;
const longestPrompt = 2_000;

type Shorten = (call: ToolCall) => ToolCall;

function shortCall<Call extends ToolCall>(call: Call): Call {
  return withArguments(call, shorten(call.arguments, 0) as ToolCall['arguments']);
}

function bareCall<Call extends ToolCall>(call: Call): Call {
  return withArguments(call, {
    '…': 'The arguments were left out, because the record of a trial is limited in size.',
  });
}

function withArguments<Call extends ToolCall>(call: Call, given: ToolCall['arguments']): Call {
  return { ...call, arguments: given };
}

function withCalls(turn: TurnSummary, shortened: Shorten, most: number): TurnSummary {
  const list = (calls: readonly ToolCall[]) => calls.slice(0, most).map(shortened);
  const { promptIndex, prompt, passed } = turn;
  const isLong = prompt.length > longestPrompt;
  return {
    promptIndex,
    prompt: isLong ? `${prompt.slice(0, longestPrompt).toWellFormed()}…` : prompt,
    expectedToolCalls: list(turn.expectedToolCalls),
    actualToolCalls: list(turn.actualToolCalls),
    passed,
    missing: list(turn.missing),
    unexpected: list(turn.unexpected),
    argumentMismatches: turn.argumentMismatches
      .slice(0, most)
      .map(({ expected, actual, mismatchedArguments }) => ({
        expected: shortened(expected),
        actual: shortened(actual),
        mismatchedArguments: mismatchedArguments
          .slice(0, maxNames)
          .map((name) => name.slice(0, 200)),
      })),
    predicateResults: turn.predicateResults.slice(0, most),
  };
}

const maxNames = 100;
