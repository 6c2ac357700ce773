/**
 * Explains why the matcher did not accept an actual call: wrong turn, wrong arguments, too few
 * calls, or a violated match option. The options are mentioned only if the call would match without
 * them, and the turn only if the case has several.
 */
import { defaultMatchOptions, type MatchOptions } from '../assertions/match-options.ts';
import { matchTurns } from '../assertions/match-turns.ts';
import { showTool } from '../assertions/show-tool.ts';
import { callsMadeOf, isCallOf, type NamedTool, type ToolCall } from '../assertions/transcript.ts';
import type { AuthoredTurn } from '../suites/project-steps.ts';

export interface AssertedTurn {
  readonly turn: AuthoredTurn;
  readonly actual: readonly ToolCall[];
  readonly hasOtherTurns: boolean;
  readonly isNegative: boolean;
  readonly options: MatchOptions;
  readonly skillsOffered: boolean;
}

/** Returns undefined if the matcher found the call. */
export function whyUnmatched(asserted: AssertedTurn, tool: NamedTool): string | undefined {
  const found = find(asserted, tool, asserted.options);
  if (found === 'matched') return undefined;
  const { turn, actual, hasOtherTurns } = asserted;
  const name = showTool(tool);
  const where = hasOtherTurns ? ` in turn ${turn.promptIndex + 1}` : '';
  if (callsMadeOf(actual, tool).length === 0) return `${name} was not called${where}.`;
  if (find(asserted, tool, defaultMatchOptions) === 'matched') {
    return `${name} was not called${where} as the match options require.`;
  }
  return found === 'otherArguments'
    ? `${name} was called${where} with other arguments.`
    : `${name} was called${where} less often than its steps expect.`;
}

function find(
  { turn, actual, isNegative, skillsOffered }: AssertedTurn,
  tool: NamedTool,
  options: MatchOptions,
): 'matched' | 'missing' | 'otherArguments' {
  const { promptIndex, expected, opener } = turn;
  const { missing, argumentMismatches } = matchTurns({
    turns: [{ promptIndex, expected, actual, pinned: opener === 'toolCall' }],
    options,
    isNegativeTest: isNegative,
    skillToolsAdvertised: skillsOffered,
  });
  if (argumentMismatches.some((one) => isCallOf(one, tool))) return 'otherArguments';
  return missing.some((one) => isCallOf(one, tool)) ? 'missing' : 'matched';
}
