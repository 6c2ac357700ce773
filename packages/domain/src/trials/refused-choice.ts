/**
 * Evaluates the choice of tools in a trial that ended because a policy rejected a call. The model
 * did choose the rejected tool, so the call counts as made here. In a verdict it never counts as
 * made.
 */
import { type Assertion, isAdvisory } from '../assertions/assertion.ts';
import { callsMadeOf, isCallOf, type ToolCall } from '../assertions/transcript.ts';
import { isAboutChoice } from '../chain/assertion-owner.ts';
import type { PlannedCase } from '../suites/planned-case.ts';
import type { AuthoredTurn } from '../suites/project-steps.ts';

export function asChosen(calls: readonly ToolCall[]): ToolCall[] {
  return calls.map((call) => {
    const { notMade, ...chosen } = call;
    return notMade === 'refused' ? chosen : call;
  });
}

export interface StatedChoice {
  readonly planned: Pick<PlannedCase, 'isNegative' | 'matchOptions'>;
  readonly turns: readonly Pick<AuthoredTurn, 'opener' | 'expected'>[];
  readonly rows: readonly {
    readonly assertion: Readonly<{ type: string }> | object;
    /** Absent for an assertion about the whole case. */
    readonly promptIndex?: number | undefined;
  }[];
}

/**
 * Returns whether the required choice of tools is undecided when the trial ends early. A required
 * call that was made is decided. A forbidden call might still have come, and turns that were not
 * started decide nothing.
 */
export function isChoiceOpen(
  { planned, turns, rows }: StatedChoice,
  callsOfTurns: readonly (readonly ToolCall[])[],
): boolean {
  const unplayed = turns.slice(callsOfTurns.length);
  if (unplayed.some((turn) => turn.expected.length > 0 || forbidsCalls(turn, planned))) return true;
  return rows.some(({ assertion, promptIndex }) => {
    if (!('type' in assertion) || isAdvisory(assertion)) return false;
    const stated = assertion as Assertion;
    if (!isAboutChoice(stated.type)) return false;
    // The matcher, not this function, judges the expected calls of a turn.
    if (stated.type === 'toolCalledWith' && promptIndex !== undefined) return false;
    const calls =
      promptIndex === undefined ? callsOfTurns.flat() : (callsOfTurns[promptIndex] ?? []);
    const chosen = asChosen(calls).filter(({ notMade }) => notMade === undefined);
    return !isMet(stated, chosen);
  });
}

/**
 * Returns whether a turn limits the model's calls. A turn that consists of the case's own tool call
 * is not matched.
 */
function forbidsCalls(
  { opener }: Pick<AuthoredTurn, 'opener'>,
  { isNegative, matchOptions }: StatedChoice['planned'],
): boolean {
  return opener !== 'toolCall' && (isNegative || matchOptions.maxExtraToolCalls !== null);
}

function isMet(assertion: Assertion, chosen: readonly ToolCall[]): boolean {
  if (assertion.type === 'toolCalledAtLeastOnce') {
    return chosen.some((call) => isCallOf(call, assertion));
  }
  // The arguments do not matter for the choice; the call stage judges them.
  if (assertion.type === 'toolCalledWith') {
    return callsMadeOf(chosen, assertion).length >= (assertion.minCount ?? 1);
  }
  const [first] = chosen;
  return assertion.type === 'firstToolWas' && first !== undefined && isCallOf(first, assertion);
}
