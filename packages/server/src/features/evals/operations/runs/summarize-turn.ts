/**
 * Compares expected with actual calls for a trial whose trace summarizes no turn; the whole trial
 * then counts as one turn. Uses the matching options that were reported with the trial, and ignores
 * invalid ones.
 */
import {
  type ArgumentMatching,
  type ArgumentMismatch,
  argumentsMatch,
  MatchOptionsLayer,
  matchTurns,
  readToolCalls,
  resolveMatchOptions,
} from '@proofmark/domain';
import type { TracedTrial } from '../../store/stored-trials.ts';

export function summarizeTurn(trial: Omit<TracedTrial, 'trace'>) {
  const { expectedToolCalls, actualToolCalls, details } = trial;
  const { query, expectedOutput, isNegativeTest, matchOptions } = details;
  const options = resolveMatchOptions(MatchOptionsLayer.safeParse(matchOptions).data);
  const expected = readToolCalls(expectedToolCalls);
  const actual = readToolCalls(actualToolCalls);
  const match = matchTurns({
    turns: [{ promptIndex: 0, expected, actual }],
    options,
    isNegativeTest: isNegativeTest === true,
  });
  return {
    promptIndex: 0,
    prompt: typeof query === 'string' ? query : '',
    expectedToolCalls,
    actualToolCalls,
    ...(typeof expectedOutput === 'string' && { expectedOutput }),
    passed: match.passed,
    missing: match.missing,
    unexpected: match.extra,
    argumentMismatches: match.argumentMismatches.map((mismatch) =>
      describeMismatch(mismatch, options.argumentMatching),
    ),
  };
}

function describeMismatch(mismatch: ArgumentMismatch, mode: ArgumentMatching) {
  const { toolName, expectedArgs, actualArgs } = mismatch;
  const names = new Set([...Object.keys(expectedArgs), ...Object.keys(actualArgs)]);
  return {
    expected: { toolName, arguments: expectedArgs },
    actual: { toolName, arguments: actualArgs },
    mismatchedArguments: [...names].filter(
      (name) => !argumentsMatch(only(expectedArgs, name), only(actualArgs, name), mode),
    ),
  };
}

/** Returns the argument of that name alone, or no arguments. */
function only(given: Readonly<Record<string, unknown>>, name: string) {
  return Object.hasOwn(given, name) ? { [name]: given[name] } : {};
}
