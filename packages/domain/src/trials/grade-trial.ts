/**
 * Grades a trial that was played to its end, or to the step that stopped it. Only turns that were
 * started are matched, since calls of later turns were not possible. All calls of a turn are
 * matched together, regardless of the position of the turn's assertions among the steps.
 */
import { type Assertion, isAdvisory } from '../assertions/assertion.ts';
import type { AssertionResult } from '../assertions/evaluate-assertion.ts';
import { matchTurns, type TurnMatch, type TurnsMatch } from '../assertions/match-turns.ts';
import {
  isCallOf,
  type NamedTool,
  type ToolCall,
  type ToolError,
} from '../assertions/transcript.ts';
import { type TrialVerdict, trialVerdict } from '../assertions/trial-verdict.ts';
import { wantsToolCall } from '../chain/assertion-owner.ts';
import type { AssertionEvidence, TurnEvidence } from '../chain/trial-evidence.ts';
import { dependsOnRedaction } from '../recordings/depends-on-redaction.ts';
import type { PlannedCase } from '../suites/planned-case.ts';
import type { AuthoredTurn } from '../suites/project-steps.ts';
import { type UnmetExpectation, unmetEvidence } from './expected-calls.ts';
import { type ExclusionOf, forbiddenCalls, type SpanIdOf, spanIdsOf } from './spans-of-calls.ts';

export interface PlayedTurn {
  readonly authored: AuthoredTurn;
  readonly actual: readonly ToolCall[];
}

export interface AskedAssertion {
  readonly assertion: Assertion;
  readonly result: AssertionResult;
  /** Absent for an assertion about the whole case. */
  readonly promptIndex?: number;
  readonly brokenBy?: readonly ToolCall[];
}

export interface PlayedTrial {
  readonly planned: Pick<PlannedCase, 'isNegative' | 'matchOptions' | 'failOnToolError'>;
  readonly turns: readonly PlayedTurn[];
  readonly skillsOffered: boolean;
  /** The evaluated assertions: first those about the whole case, then those of the steps. */
  readonly asked: readonly AskedAssertion[];
  readonly hasToolError: boolean;
  readonly toolErrors?: readonly ToolError[] | undefined;
  /** The reason why it is unknown whether the case expects a tool error. */
  readonly openToolError?: string | undefined;
  readonly hasPinnedToolError: boolean;
  readonly hasFailedStep?: boolean;
  /** Absent if no spans were recorded. */
  readonly spanIdOf?: SpanIdOf;
  /** Returns why a tool is hidden from clients; undefined if it is not. */
  readonly exclusionOf?: ExclusionOf | undefined;
  /**
   * Whether the calls come from a recording in which secrets were replaced, so that a match may
   * depend on unknown values (see `dependsOnRedaction`).
   */
  readonly hasMarks?: boolean | undefined;
}

export interface GradedTurns {
  /** The match of all turns; turns that cannot be compared do not count as failed. */
  readonly match: TurnsMatch;
  /** The reason why it is unknown whether the calls of a turn are the expected ones. */
  readonly openMatch?: string;
  readonly turns: readonly TurnEvidence[];
}

export function gradeTrial(played: PlayedTrial): GradedTurns & { readonly verdict: TrialVerdict } {
  const { match, openMatch, turns } = gradeTurns(played);
  const { asked } = played;
  const isOfCase = ({ promptIndex }: AskedAssertion) => promptIndex === undefined;
  const verdict = trialVerdict({
    toolCallsMatch: match.passed,
    openMatch,
    caseAssertions: asked.filter(isOfCase).map(({ result }) => result),
    turnAssertions: asked.filter((one) => !isOfCase(one)).map(({ result }) => result),
    failOnToolError: played.planned.failOnToolError,
    hasTrialError: false,
    hasToolError: played.hasToolError,
    toolErrors: played.toolErrors,
    openToolError: played.openToolError,
    hasPinnedToolError: played.hasPinnedToolError,
    hasFailedStep: played.hasFailedStep === true,
  });
  return { match, turns, verdict };
}

export function gradeTurns(played: PlayedTrial): GradedTurns {
  const { asked } = played;
  const match = matchPlayed(played, played.turns);
  const open = played.hasMarks ? played.turns.filter((turn) => isOpen(played, turn)) : [];
  if (open.length > 0) {
    const { turns, match: others } = gradeTurns({
      ...played,
      hasMarks: false,
      turns: played.turns.map((turn) => (open.includes(turn) ? withoutExpected(turn) : turn)),
    });
    return {
      match: others,
      openMatch: takenOutOfCalls,
      turns: turns.map((turn) => {
        const of = open.find(({ authored }) => authored.promptIndex === turn.promptIndex);
        return of === undefined
          ? turn
          : { ...turn, calledCount: of.actual.length, unanswered: true };
      }),
    };
  }
  const turns: TurnEvidence[] = [];
  for (const [index, { authored, actual }] of played.turns.entries()) {
    const matched = match.turns[index];
    // In a turn without a prompt, no model selects tools. So the turn is evidence only if its calls
    // did not match.
    const counts = authored.opener === 'prompt' || matched?.passed === false;
    if (matched !== undefined && counts) turns.push(turnEvidence(matched, actual.length, played));
  }
  const calls = played.turns.flatMap(({ actual }) => actual);
  const hasPrompt = played.turns.some(({ authored }) => authored.opener === 'prompt');
  turns.push(...unmetEvidence(unmetOf(asked), calls, match, hasPrompt, played));
  return { match, turns };
}

const takenOutOfCalls =
  'Secrets were removed from the recording of the arguments, so the calls cannot be compared.';

function matchPlayed(
  { planned, skillsOffered }: PlayedTrial,
  turns: readonly PlayedTurn[],
): TurnsMatch {
  return matchTurns({
    turns: turns.map(({ authored, actual }) => ({
      promptIndex: authored.promptIndex,
      expected: authored.expected,
      actual,
      pinned: authored.opener === 'toolCall',
    })),
    options: planned.matchOptions,
    isNegativeTest: planned.isNegative,
    skillToolsAdvertised: skillsOffered,
  });
}

function isOpen(played: PlayedTrial, { authored, actual }: PlayedTurn): boolean {
  return dependsOnRedaction(authored.expected, actual, (calls) => {
    const turn = { authored, actual: calls as readonly ToolCall[] };
    return matchPlayed(played, [turn]).passed;
  });
}

/** Removes the expected and the actual calls of a turn whose match cannot be decided. */
function withoutExpected({ authored }: PlayedTurn): PlayedTurn {
  return { authored: { ...authored, expected: [] }, actual: [] };
}

function wasAskedFor(
  assertion: Assertion,
  calls: readonly ToolCall[],
  promptIndex: number | undefined,
): boolean {
  return (
    assertion.type === 'toolCalledAtLeastOnce' &&
    calls.some(
      (call) =>
        call.notMade === 'invalidArguments' &&
        isCallOf(call, assertion) &&
        (promptIndex === undefined || call.promptIndex === promptIndex),
    )
  );
}

export function assertionEvidence(
  asked: readonly AskedAssertion[],
  calls: readonly ToolCall[] = [],
  spanIdOf?: SpanIdOf,
  exclusionOf?: ExclusionOf,
): AssertionEvidence[] {
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of the fields of one piece of evidence, each with the condition under which it is stated.
  return asked.map(({ assertion, result, promptIndex, brokenBy }) => {
    const { passed, reason } = result;
    const evidence: { -readonly [Name in keyof AssertionEvidence]: AssertionEvidence[Name] } = {
      type: assertion.type,
      passed,
      reason,
    };
    if (promptIndex !== undefined) evidence.promptIndex = promptIndex;
    if (isAdvisory(assertion)) evidence.advisory = true;
    if (!passed && wasAskedFor(assertion, calls, promptIndex)) evidence.wasAskedFor = true;
    if (result.judgedAs !== undefined) evidence.judgedAs = result.judgedAs;
    const exclusion = passed ? undefined : exclusionOfWanted(assertion, exclusionOf);
    if (exclusion !== undefined) evidence.exclusion = exclusion;
    // An assertion that could not be evaluated says nothing about any call.
    if (result.evaluatorError === true) evidence.unanswered = true;
    else if (!passed) {
      const spanIds = spanIdsOf(brokenBy ?? forbiddenCalls(assertion, calls), spanIdOf);
      if (spanIds !== undefined) evidence.spanIds = spanIds;
    }
    return evidence;
  });
}

function exclusionOfWanted(assertion: Assertion, exclusionOf?: ExclusionOf): string | undefined {
  if (!('toolName' in assertion) || assertion.toolName === undefined) return undefined;
  const isWanted = wantsToolCall(assertion.type) || assertion.type === 'toolCalledBefore';
  return isWanted ? exclusionOf?.(assertion as NamedTool) : undefined;
}

function turnEvidence(
  { promptIndex, missing, extra, argumentMismatches, passed }: TurnMatch,
  made: number,
  { planned: { isNegative }, spanIdOf, exclusionOf }: PlayedTrial,
): TurnEvidence {
  const mismatched = argumentMismatches.map(({ actualArgs }) => ({ arguments: actualArgs }));
  const mismatchedSpanIds = spanIdsOf(mismatched, spanIdOf);
  const unexpectedSpanIds = spanIdsOf(extra, spanIdOf);
  const exclusions = missing.flatMap((call) => exclusionOf?.(call) ?? []);
  return {
    promptIndex,
    // In a negative test, only unexpected calls count: calls of the client's own skill tools do not
    // fail it.
    calledCount: isNegative ? extra.length : made,
    missingCount: missing.length,
    unexpectedCount: extra.length,
    argumentMismatchCount: argumentMismatches.length,
    passed,
    ...(mismatchedSpanIds && { mismatchedSpanIds }),
    ...(unexpectedSpanIds && { unexpectedSpanIds }),
    ...(exclusions.length > 0 && { exclusions: [...new Set(exclusions)] }),
  };
}

function unmetOf(asked: readonly AskedAssertion[]): UnmetExpectation[] {
  return asked.flatMap(({ assertion, result, promptIndex }) => {
    if (assertion.type !== 'toolCalledWith' || result.passed || isAdvisory(assertion)) return [];
    if (result.evaluatorError === true) return [];
    return [promptIndex === undefined ? { assertion } : { assertion, promptIndex }];
  });
}
