/**
 * Reads the turn summaries of a report. A turn with unreadable lists is skipped completely, because
 * its readable part could look free of errors. Without summaries, one turn is built from the names
 * of the expected and the actual calls. The verdict of that turn is known only for a negative test,
 * which any call fails.
 */
import { isRecord } from '../kernel/json.ts';
import { toIndex, toList } from './loose-values.ts';
import { isToolSpan } from './tool-spans.ts';
import type { SpanEvidence, TurnEvidence } from './trial-evidence.ts';

export function readTurns(
  prompts: readonly unknown[],
  spans: readonly SpanEvidence[] = [],
): readonly TurnEvidence[] {
  const only = onlySpansOf(spans);
  return prompts.flatMap((turn) => {
    if (!isRecord(turn)) return [];
    const { missing, unexpected, argumentMismatches = [], actualToolCalls, passed } = turn;
    if (![missing, unexpected, argumentMismatches].every(Array.isArray)) return [];
    const promptIndex = toIndex(turn['promptIndex']);
    const mismatched = toList(argumentMismatches).map((one) => isRecord(one) && one['actual']);
    const mismatchedSpanIds = spanIdsOf(mismatched, promptIndex, only);
    const unexpectedSpanIds = spanIdsOf(toList(unexpected), promptIndex, only);
    return [
      {
        ...(promptIndex === undefined ? {} : { promptIndex }),
        ...(Array.isArray(actualToolCalls) ? { calledCount: actualToolCalls.length } : {}),
        missingCount: (missing as unknown[]).length,
        unexpectedCount: (unexpected as unknown[]).length,
        argumentMismatchCount: (argumentMismatches as unknown[]).length,
        ...(typeof passed === 'boolean' ? { passed } : {}),
        ...(mismatchedSpanIds.length > 0 ? { mismatchedSpanIds } : {}),
        ...(unexpectedSpanIds.length > 0 ? { unexpectedSpanIds } : {}),
      },
    ];
  });
}

type OnlySpans = ReadonlyMap<string, string | undefined>;

/**
 * Maps each tool that was called once in its turn to its span. A report does not link calls to
 * spans, so the span of a repeated call is unknown.
 */
function onlySpansOf(spans: readonly SpanEvidence[]): OnlySpans {
  const only = new Map<string, string | undefined>();
  for (const span of spans) {
    if (!isToolSpan(span) || span.toolName === undefined) continue;
    const key = `${span.promptIndex} ${span.toolName}`;
    only.set(key, only.has(key) ? undefined : span.id);
  }
  return only;
}

function spanIdsOf(
  calls: readonly unknown[],
  promptIndex: number | undefined,
  only: OnlySpans,
): readonly string[] {
  if (promptIndex === undefined) return [];
  return calls.flatMap((call) => only.get(`${promptIndex} ${nameOf(call)}`) ?? []);
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

/** Returns undefined if one name is unreadable, since the list is then incomplete. */
function readNames(calls: unknown): readonly string[] | undefined {
  if (!Array.isArray(calls)) return undefined;
  const names = calls.map(nameOf);
  return names.every((name) => name !== undefined) ? names : undefined;
}

function nameOf(call: unknown): string | undefined {
  const name = isRecord(call) ? (call['toolName'] ?? call['tool'] ?? call['name']) : undefined;
  return typeof name === 'string' ? name : undefined;
}
