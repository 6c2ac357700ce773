/**
 * Pairs expected with actual tool calls in two passes. The first pass pairs calls with equal names
 * and matching arguments. The second pass pairs each remaining expected call with a free actual
 * call of the same name: only the arguments differ. The match passes if no expected call is
 * missing, no arguments differ, and there are no more extra calls than allowed.
 *
 * - Pairing is greedy, so expected calls are tried from the most to the least specific.
 * - A call that was never made meets no expectation. If its arguments could not be read, it can
 *   still be paired as a call with wrong arguments.
 * - An expected call with a server name matches only tools of that server.
 * - The repetitions of an expected call with `minCount` are not extra calls.
 */
import { argumentsMatch } from './argument-matching.ts';
import type { MatchOptions } from './match-options.ts';
import { type ExpectedCall, isCallOf, type ToolCall } from './transcript.ts';

export interface ToolCallMatch {
  readonly passed: boolean;
  readonly missing: readonly ToolCall[];
  readonly extra: readonly ToolCall[];
  readonly argumentMismatches: readonly ArgumentMismatch[];
  /** Always empty, because an expected call in the wrong order counts as missing. */
  readonly outOfOrder: readonly ToolCall[];
}

export interface ArgumentMismatch {
  readonly toolName: string;
  /** The server, if the expected call names one. */
  readonly serverName?: string;
  readonly expectedArgs: ToolCall['arguments'];
  readonly actualArgs: ToolCall['arguments'];
}

export interface MatchInput {
  readonly expected: readonly ExpectedCall[];
  readonly actual: readonly ToolCall[];
  readonly options: MatchOptions;
  /** A negative test expects no call, regardless of its other fields. */
  readonly isNegativeTest?: boolean;
}

export function matchToolCalls({
  expected,
  actual,
  options,
  isNegativeTest = false,
}: MatchInput): ToolCallMatch {
  const nothing = { missing: [], extra: [], argumentMismatches: [], outOfOrder: [] };
  if (isNegativeTest) return { ...nothing, passed: actual.length === 0, extra: actual };
  if (actual.length === 0) return { ...nothing, passed: false, missing: expected };

  const { paired, taken, startedAt } = pairCalls(expected, actual, options);
  const argumentMismatches = pairByName(expected, actual, options, { paired, taken, startedAt });
  takeRepeated(expected, actual, options, taken);
  const missing = expected.filter((_, index) => !paired.has(index));
  const extra = actual.filter((_, index) => !taken.has(index));
  const { maxExtraToolCalls } = options;
  return {
    passed:
      missing.length === 0 &&
      argumentMismatches.length === 0 &&
      (maxExtraToolCalls === null || extra.length <= maxExtraToolCalls),
    missing,
    extra,
    argumentMismatches,
    outOfOrder: [],
  };
}

interface Pairing {
  readonly paired: Set<number>;
  readonly taken: Set<number>;
  /** For each expected call, the index of the actual call at which the search began. */
  readonly startedAt: number[];
}

function pairCalls(
  expected: readonly ExpectedCall[],
  actual: readonly ToolCall[],
  { toolCallOrder, argumentMatching }: MatchOptions,
): Pairing {
  const pairing: Pairing = { paired: new Set(), taken: new Set(), startedAt: [] };
  let cursor = 0;
  for (const [index, wanted] of expected.entries()) {
    const from = { strict: index, superset: cursor, ignore: 0 }[toolCallOrder];
    pairing.startedAt.push(from);
    const found = findFree(actual, pairing.taken, from, toolCallOrder === 'strict', (call) => {
      return meets(call, wanted, argumentMatching);
    });
    if (found === undefined) continue;
    pairing.paired.add(index);
    pairing.taken.add(found);
    cursor = found + 1;
  }
  return pairing;
}

function meets(
  call: ToolCall,
  wanted: ExpectedCall,
  argumentMatching: MatchOptions['argumentMatching'],
): boolean {
  return (
    call.notMade === undefined &&
    isCallOf(call, wanted) &&
    argumentsMatch(wanted.arguments, call.arguments, wanted.argumentMatching ?? argumentMatching)
  );
}

function takeRepeated(
  expected: readonly ExpectedCall[],
  actual: readonly ToolCall[],
  { argumentMatching }: MatchOptions,
  taken: Set<number>,
): void {
  for (const wanted of expected) {
    for (let left = (wanted.minCount ?? 1) - 1; left > 0; left -= 1) {
      const found = findFree(actual, taken, 0, false, (call) =>
        meets(call, wanted, argumentMatching),
      );
      if (found === undefined) break;
      taken.add(found);
    }
  }
}

function pairByName(
  expected: readonly ToolCall[],
  actual: readonly ToolCall[],
  { toolCallOrder }: MatchOptions,
  { paired, taken, startedAt }: Pairing,
): ArgumentMismatch[] {
  const mismatches: ArgumentMismatch[] = [];
  for (const [index, wanted] of expected.entries()) {
    if (paired.has(index)) continue;
    const from = startedAt[index] ?? 0;
    const found = findFree(
      actual,
      taken,
      from,
      toolCallOrder === 'strict',
      (call) =>
        (call.notMade === undefined || call.notMade === 'invalidArguments') &&
        isCallOf(call, wanted),
    );
    const partner = found === undefined ? undefined : actual[found];
    if (found === undefined || partner === undefined) continue;
    paired.add(index);
    taken.add(found);
    mismatches.push({
      toolName: wanted.toolName,
      ...(wanted.serverName !== undefined && { serverName: wanted.serverName }),
      expectedArgs: wanted.arguments,
      actualArgs: partner.arguments,
    });
  }
  return mismatches;
}

/**
 * Returns the index of the first free, fitting call from `from` on. With `thereOnly`, only the call
 * at `from` is tried.
 */
function findFree(
  actual: readonly ToolCall[],
  taken: ReadonlySet<number>,
  from: number,
  thereOnly: boolean,
  fits: (call: ToolCall) => boolean,
): number | undefined {
  const end = thereOnly ? Math.min(from + 1, actual.length) : actual.length;
  for (let index = from; index < end; index += 1) {
    const call = actual[index];
    if (call !== undefined && !taken.has(index) && fits(call)) return index;
  }
  return undefined;
}
