/**
 * What a trial that a policy ended still shows of the choice of tools: the model did choose the tool of a refused call, so
 * here the call counts as one that was made. It never counts so for a verdict.
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

/** What a case says about the choice of tools. */
export interface StatedChoice {
  readonly planned: Pick<PlannedCase, 'isNegative' | 'matchOptions'>;
  readonly turns: readonly Pick<AuthoredTurn, 'opener' | 'expected'>[];
  readonly rows: readonly {
    readonly assertion: Readonly<{ type: string }> | object;
    /** Absent for the whole case. */
    readonly promptIndex?: number | undefined;
  }[];
}

/**
 * Whether the case says something about the choice of tools that the calls until the end do not answer. Only an assertion
 * that asks for a call can be answered then: a call that is unwanted might still have come. A turn that was not begun
 * answers nothing.
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
    // The matcher answers the expected calls of a turn.
    if (stated.type === 'toolCalledWith' && promptIndex !== undefined) return false;
    const calls =
      promptIndex === undefined ? callsOfTurns.flat() : (callsOfTurns[promptIndex] ?? []);
    const chosen = asChosen(calls).filter(({ notMade }) => notMade === undefined);
    return !isMet(stated, chosen);
  });
}

/** The calls of a turn that the case makes itself are not matched. */
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
  // The arguments are those of the call, a later stage.
  if (assertion.type === 'toolCalledWith') {
    return callsMadeOf(chosen, assertion).length >= (assertion.minCount ?? 1);
  }
  const [first] = chosen;
  return assertion.type === 'firstToolWas' && first !== undefined && isCallOf(first, assertion);
}
