/**
 * The expected calls of a case. A call expected in a step is matched in that step's turn. A call
 * expected in the whole case may be made in any turn.
 * If an assertion about the whole case failed and no turn shows why, one turn is added to the
 * evidence. Too few calls are a wrong selection, and enough calls with other arguments a wrong
 * call. Without a prompt no model selects tools, so only the call can be wrong.
 */
import { deepEqual } from '../assertions/argument-matching.ts';
import { type Assertion, isAdvisory } from '../assertions/assertion.ts';
import type { MatchOptions } from '../assertions/match-options.ts';
import type { ToolCallMatch } from '../assertions/match-tool-calls.ts';
import {
  callsMadeOf,
  isCallOf,
  type NamedTool,
  type StatedCall,
  type ToolCall,
} from '../assertions/transcript.ts';
import type { TurnEvidence } from '../chain/trial-evidence.ts';
import type { PlannedCase } from '../suites/planned-case.ts';
import { projectSteps, statedCall } from '../suites/project-steps.ts';
import { type ExclusionOf, type SpanIdOf, spanIdsOf } from './spans-of-calls.ts';

/**
 * Returns the expected calls: first those of the steps, in order, then those of the whole case that
 * are not already among them. A negative test expects none.
 */
export function expectedCallsOf(
  planned: Pick<PlannedCase, 'steps' | 'assertions' | 'isNegative'> &
    Partial<Pick<PlannedCase, 'matchOptions'>>,
): StatedCall[] {
  if (planned.isNegative) return [];
  const { turns } = projectSteps(planned.steps);
  const ofTurns = turns.flatMap(({ stated }) => stated);
  const ofCase = planned.assertions
    .flatMap(statedCall)
    .filter((call) => !ofTurns.some((known) => deepEqual(known, call)));
  const matched = turns.flatMap(({ stated, promptIndex }) =>
    stated.map((call) => ({
      ...underOptions(call, planned.matchOptions),
      ...(turns.length > 1 && { promptIndex }),
    })),
  );
  return withToolsToCall(planned, [...matched, ...ofCase].map(withoutIgnore));
}

/**
 * If the match options require exact arguments, so does the expected call, unless its assertion
 * ignores arguments.
 */
export function underOptions(call: StatedCall, options: MatchOptions | undefined): StatedCall {
  const isExact = options?.argumentMatching === 'exact' && call.argumentMatching !== 'ignore';
  return isExact ? { ...call, argumentMatching: 'exact' } : call;
}

/**
 * Removes the comparison `ignore`. Such a call is expected without arguments, so any arguments
 * satisfy it.
 */
function withoutIgnore({ argumentMatching, ...call }: StatedCall): StatedCall {
  return argumentMatching === 'exact' ? { ...call, argumentMatching } : call;
}

/**
 * Adds an expected call with any arguments for each tool that must be called or be called first.
 * Tools that already have an expected call are skipped.
 */
function withToolsToCall(
  { steps, assertions }: Pick<PlannedCase, 'steps' | 'assertions'>,
  calls: readonly StatedCall[],
): StatedCall[] {
  const asserted = steps.flatMap((step) => (step.kind === 'assert' ? [step.assertion] : []));
  const expected = [...calls];
  for (const one of [...asserted, ...assertions]) {
    if (!('type' in one) || isAdvisory(one)) continue;
    if (one.type !== 'firstToolWas' && one.type !== 'toolCalledAtLeastOnce') continue;
    const { toolName, serverName } = one;
    if (expected.some((call) => isCallOf(call, one))) continue;
    expected.push({ toolName, ...(serverName !== undefined && { serverName }), arguments: {} });
  }
  return expected;
}

export interface UnmetExpectation {
  readonly assertion: Extract<Assertion, { type: 'toolCalledWith' }>;
  /** Absent for an assertion about the whole case. */
  readonly promptIndex?: number;
}

interface TellingOfCalls {
  readonly spanIdOf?: SpanIdOf;
  readonly exclusionOf?: ExclusionOf | undefined;
}

export function unmetEvidence(
  unmet: readonly UnmetExpectation[],
  calls: readonly ToolCall[],
  match: ToolCallMatch,
  hasPrompt: boolean,
  { spanIdOf, exclusionOf }: TellingOfCalls = {},
): TurnEvidence[] {
  return unmet.flatMap(({ assertion, promptIndex }) => {
    const { minCount = 1 } = assertion;
    if (isInChain(match, assertion, hasPrompt)) return [];
    const made = callsMadeOf(calls, assertion);
    const isMissing = hasPrompt && made.length < minCount;
    const evidence: { -readonly [Name in keyof TurnEvidence]: TurnEvidence[Name] } = {
      missingCount: isMissing ? 1 : 0,
      unexpectedCount: 0,
      argumentMismatchCount: isMissing ? 0 : 1,
      passed: false,
    };
    if (promptIndex !== undefined) evidence.promptIndex = promptIndex;
    const spanIds = isMissing ? undefined : spanIdsOf(made, spanIdOf);
    if (spanIds !== undefined) evidence.mismatchedSpanIds = spanIds;
    return [isMissing ? withExclusion(evidence, exclusionOf?.(assertion)) : evidence];
  });
}

function withExclusion(evidence: TurnEvidence, exclusion: string | undefined): TurnEvidence {
  return exclusion === undefined ? evidence : { ...evidence, exclusions: [exclusion] };
}

/**
 * Returns whether the stage results already show the unmet expectation. The selection stage shows a
 * missing call, but does not apply without a prompt.
 */
function isInChain(
  { missing, argumentMismatches }: ToolCallMatch,
  tool: NamedTool,
  hasPrompt: boolean,
): boolean {
  return (
    (hasPrompt && missing.some((call) => isCallOf(call, tool))) ||
    argumentMismatches.some((mismatch) => isCallOf(mismatch, tool))
  );
}
