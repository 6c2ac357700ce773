/**
 * What a trial that a policy ended still shows of the choice of tools: the model did choose the tool of a refused call, so
 * here the call counts as one that was made. It never counts so for a verdict.
 */
import { type Assertion, isAdvisory } from '../assertions/assertion.ts';
import { isCallOf, type ToolCall } from '../assertions/transcript.ts';
import { stageOfAssertion } from '../chain/assertion-owner.ts';

export function asChosen(calls: readonly ToolCall[]): ToolCall[] {
  return calls.map((call) => {
    const { notMade, ...chosen } = call;
    return notMade === 'refused' ? chosen : call;
  });
}

/**
 * Whether an assertion about the choice of tools is not answered by the calls until the end. Only one that asks for a call
 * can be answered then: a call that is unwanted might still have come.
 */
export function isChoiceOpen(
  rows: readonly { readonly assertion: Readonly<{ type: string }> | object }[],
  calls: readonly ToolCall[],
): boolean {
  const chosen = asChosen(calls).filter(({ notMade }) => notMade === undefined);
  return rows.some(({ assertion }) => {
    if (!('type' in assertion) || isAdvisory(assertion)) return false;
    const stated = assertion as Assertion;
    return stageOfAssertion(stated.type, true) === 'selection' && !isMet(stated, chosen);
  });
}

function isMet(assertion: Assertion, chosen: readonly ToolCall[]): boolean {
  if (assertion.type === 'toolCalledAtLeastOnce') {
    return chosen.some((call) => isCallOf(call, assertion));
  }
  const [first] = chosen;
  return assertion.type === 'firstToolWas' && first !== undefined && isCallOf(first, assertion);
}
