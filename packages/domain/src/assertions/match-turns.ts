/**
 * Matches a trial turn by turn; the trial matches if no turn failed.
 *
 * - In a pinned turn, the suite made the call, not the model. The call is not matched, and the turn
 *   passes.
 * - A turn without expectations passes unless it has more calls than the allowed extra calls.
 * - Skill tools belong to the MCP client, not to a tested server. They are matched only if the turn
 *   expects them by name.
 */
import type { MatchOptions } from './match-options.ts';
import { matchToolCalls, type ToolCallMatch } from './match-tool-calls.ts';
import type { ExpectedCall, ToolCall } from './transcript.ts';

export interface Turn {
  readonly promptIndex: number;
  readonly expected: readonly ExpectedCall[];
  readonly actual: readonly ToolCall[];
  readonly pinned?: boolean;
}

export interface TurnsInput {
  readonly turns: readonly Turn[];
  readonly options: MatchOptions;
  readonly isNegativeTest?: boolean;
  readonly skillToolsAdvertised?: boolean;
}

export interface TurnMatch extends ToolCallMatch {
  readonly promptIndex: number;
}

export interface TurnsMatch extends ToolCallMatch {
  readonly turns: readonly TurnMatch[];
}

export const skillTools = ['listSkills', 'loadSkill', 'listSkillFiles', 'readSkillFile'] as const;

export function matchTurns(input: TurnsInput): TurnsMatch {
  const turns = input.turns.map((turn) => ({
    promptIndex: turn.promptIndex,
    ...matchTurn(turn, input),
  }));
  return {
    passed: turns.every((turn) => turn.passed),
    missing: turns.flatMap((turn) => turn.missing),
    extra: turns.flatMap((turn) => turn.extra),
    argumentMismatches: turns.flatMap((turn) => turn.argumentMismatches),
    outOfOrder: [],
    turns,
  };
}

function matchTurn(turn: Turn, input: TurnsInput): ToolCallMatch {
  const nothing = { missing: [], extra: [], argumentMismatches: [], outOfOrder: [] };
  if (turn.pinned === true) return { ...nothing, passed: true };
  const { options, isNegativeTest = false } = input;
  const expected = isNegativeTest ? [] : turn.expected;
  const actual =
    input.skillToolsAdvertised === true ? withoutSkills(turn.actual, expected) : turn.actual;
  if (isNegativeTest || expected.length > 0) {
    return matchToolCalls({ expected, actual, options, isNegativeTest });
  }
  const { maxExtraToolCalls } = options;
  const passed = maxExtraToolCalls === null || actual.length <= maxExtraToolCalls;
  return { ...nothing, passed, extra: actual };
}

function withoutSkills(actual: readonly ToolCall[], expected: readonly ToolCall[]) {
  const exempt = new Set<string>(skillTools);
  for (const call of expected) exempt.delete(call.toolName);
  return actual.filter((call) => !exempt.has(call.toolName));
}
