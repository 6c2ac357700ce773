import { type ArgumentMatching, argumentsMatch } from '../assertions/argument-matching.ts';
import type { AssertionResult } from '../assertions/evaluate-assertion.ts';
import type { ArgumentMismatch } from '../assertions/match-tool-calls.ts';
import type { TurnsMatch } from '../assertions/match-turns.ts';
import type { ToolCall } from '../assertions/transcript.ts';
import { underOptions } from './expected-calls.ts';
import type { PlayedTrial } from './grade-trial.ts';

export interface TurnSummary {
  readonly promptIndex: number;
  readonly prompt: string;
  readonly expectedToolCalls: readonly ToolCall[];
  readonly actualToolCalls: readonly ToolCall[];
  readonly passed: boolean;
  readonly missing: readonly ToolCall[];
  readonly unexpected: readonly ToolCall[];
  readonly argumentMismatches: readonly {
    readonly expected: ToolCall;
    readonly actual: ToolCall;
    readonly mismatchedArguments: readonly string[];
  }[];
  readonly predicateResults: readonly AssertionResult[];
}

export function summarizeTurns(
  { turns, planned, asked }: PlayedTrial,
  match: TurnsMatch,
): TurnSummary[] {
  const { argumentMatching } = planned.matchOptions;
  return turns.flatMap(({ authored, actual }, index) => {
    const matched = match.turns[index];
    if (matched === undefined) return [];
    const results: AssertionResult[] = [];
    for (const { promptIndex, result } of asked) {
      if (promptIndex === authored.promptIndex) results.push(result);
    }
    return [
      {
        promptIndex: authored.promptIndex,
        prompt: authored.prompt,
        expectedToolCalls: planned.isNegative
          ? []
          : authored.stated.map((call) => underOptions(call, planned.matchOptions)),
        actualToolCalls: actual,
        passed: matched.passed,
        missing: matched.missing,
        unexpected: matched.extra,
        argumentMismatches: matched.argumentMismatches.map((one) =>
          showMismatch(one, argumentMatching),
        ),
        predicateResults: results,
      },
    ];
  });
}

function showMismatch(
  { toolName, serverName, expectedArgs, actualArgs }: ArgumentMismatch,
  mode: ArgumentMatching,
): TurnSummary['argumentMismatches'][number] {
  const wrong = Object.keys(expectedArgs).filter(
    (key) =>
      !Object.hasOwn(actualArgs, key) ||
      !argumentsMatch({ [key]: expectedArgs[key] }, { [key]: actualArgs[key] }, mode),
  );
  const unasked =
    mode === 'exact'
      ? Object.keys(actualArgs).filter((key) => !Object.hasOwn(expectedArgs, key))
      : [];
  const tool = { toolName, ...(serverName !== undefined && { serverName }) };
  return {
    expected: { ...tool, arguments: expectedArgs },
    actual: { ...tool, arguments: actualArgs },
    mismatchedArguments: [...wrong, ...unasked],
  };
}
