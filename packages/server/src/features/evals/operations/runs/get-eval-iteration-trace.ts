import type { OutputOf } from '@proofmark/contract';
import {
  type ArgumentMatching,
  type ArgumentMismatch,
  argumentsMatch,
  MatchOptionsLayer,
  matchTurns,
  notFound,
  readToolCalls,
  resolveMatchOptions,
} from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { readTracedTrial, type TracedTrial } from '../../store/stored-trials.ts';

/** If the stored trace contains no summary of a turn, one is added. */
export const getEvalIterationTrace: Action<'getEvalIterationTrace'> = async (
  context,
  { params },
) => {
  const trial =
    (await context.tenant((sql) =>
      readTracedTrial(sql, context.project.id, params.runId, params.iterationId),
    )) ?? refuse(notFound);
  if (trial.trace === null) {
    refuse({
      code: 'NOT_FOUND',
      message: 'No trace was recorded for this trial.',
      details: { reason: 'TRACE_NOT_AVAILABLE' },
    });
  }
  const trace = trial.trace as OutputOf<'getEvalIterationTrace'>;
  return 'prompts' in trace ? trace : { ...trace, prompts: [summarizeTurn(trial)] };
};

/**
 * For a trace without a summary of a turn: compares expected with actual calls as if the whole
 * trial were one turn. Invalid matching options are ignored.
 */
function summarizeTurn(trial: Omit<TracedTrial, 'trace'>) {
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

function only(given: Readonly<Record<string, unknown>>, name: string) {
  return Object.hasOwn(given, name) ? { [name]: given[name] } : {};
}
