/**
 * Turn summaries of a report. A turn whose lists cannot be read is passed over whole: counting the
 * half that can be read would call it clean. Without turns, the names of the expected and the made
 * calls give one turn with no verdict and nothing about arguments; only a negative test has a known
 * verdict, since for it any call is wrong.
 */
import { isRecord, toIndex } from './loose-values.ts';
import type { TurnEvidence } from './trial-evidence.ts';

export function readTurns(prompts: readonly unknown[]): readonly TurnEvidence[] {
  return prompts.flatMap((turn) => {
    if (!isRecord(turn)) return [];
    const { missing, unexpected, argumentMismatches = [], actualToolCalls, passed } = turn;
    if (![missing, unexpected, argumentMismatches].every(Array.isArray)) return [];
    const promptIndex = toIndex(turn['promptIndex']);
    return [
      {
        ...(promptIndex === undefined ? {} : { promptIndex }),
        ...(Array.isArray(actualToolCalls) ? { calledCount: actualToolCalls.length } : {}),
        missingCount: (missing as unknown[]).length,
        unexpectedCount: (unexpected as unknown[]).length,
        argumentMismatchCount: (argumentMismatches as unknown[]).length,
        ...(typeof passed === 'boolean' ? { passed } : {}),
      },
    ];
  });
}

export function namesOnlyTurn(trial: {
  readonly expectedToolCalls?: unknown;
  readonly actualToolCalls?: unknown;
  readonly isNegativeTest?: unknown;
}): readonly TurnEvidence[] {
  const called = readNames(trial.actualToolCalls);
  if (called === undefined) return [];
  const calledCount = called.length;
  if (trial.isNegativeTest === true) {
    return [
      {
        missingCount: 0,
        unexpectedCount: calledCount,
        argumentMismatchCount: 0,
        calledCount,
        passed: calledCount === 0,
      },
    ];
  }
  const expected = readNames(trial.expectedToolCalls);
  if (expected === undefined || expected.length === 0) return [];
  return [
    {
      missingCount: countAbsent(expected, called),
      unexpectedCount: countAbsent(called, expected),
      argumentMismatchCount: 0,
      calledCount,
    },
  ];
}

function countAbsent(names: readonly string[], among: readonly string[]): number {
  const known = new Set(among);
  return names.filter((name) => !known.has(name)).length;
}

/** All names or none: a call without a readable name makes the list unknown. */
function readNames(calls: unknown): readonly string[] | undefined {
  if (!Array.isArray(calls)) return undefined;
  const names = calls.map((call: unknown) =>
    isRecord(call) ? (call['toolName'] ?? call['tool'] ?? call['name']) : undefined,
  );
  return names.every((name) => typeof name === 'string') ? names : undefined;
}
