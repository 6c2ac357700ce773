/**
 * Whether an assertion can fail in a trial that ends normally. An assertion that forbids or limits
 * calls cannot fail if neither the case nor a model can make such a call. A limit on the number of
 * calls can fail only if that many calls are possible. A score threshold of 0 is always reached.
 */
import type { Assertion } from '../assertions/assertion.ts';
import type { CallScope } from '../assertions/call-scope.ts';
import { isNotListed, type ListedServers } from './listed-tools.ts';
import type { PlannedCase } from './planned-case.ts';
import { asksServer } from './step.ts';
import { whyNoCall } from './why-no-call.ts';
import type { WidgetAssertion } from './widget.ts';

export type AskingCase = Pick<PlannedCase, 'steps' | 'toolChoice'>;

export function canFail(
  assertion: Assertion | WidgetAssertion,
  one: AskingCase,
  servers: ListedServers,
): boolean {
  if (!('type' in assertion)) return true;
  const couldCall = (scope: CallScope) =>
    pinnedCalls(one, scope).length > 0 || modelCouldCall(scope, one, servers);
  switch (assertion.type) {
    case 'toolNeverCalled':
    case 'toolLatencyUnder':
    case 'toolResultSizeUnder':
    case 'maximumResultTokens':
      return couldCall(assertion);
    case 'noDestructiveToolCalled':
      return couldCall({});
    // A prompt or a resource that a server fails to deliver is a server error too.
    case 'noToolErrors':
      return couldCall({}) || one.steps.some(asksServer);
    case 'toolCalledBefore':
      return couldCall({ toolName: assertion.beforeToolName });
    case 'onlyToolsCalled':
      return couldCallOther(assertion.toolNames, one, servers);
    case 'toolCallCountUnder':
      return (
        pinnedCalls(one, assertion).length >= assertion.count ||
        modelCouldCall(assertion, one, servers)
      );
    case 'noRepeatedIdenticalCall':
      return pinnedCalls(one, assertion).length > 1 || modelCouldCall(assertion, one, servers);
    case 'turnCountUnder':
      return mostTurns(one) >= assertion.turns;
    case 'scorer':
      return assertion.threshold > 0;
    case 'goalCompleted':
      return [assertion, ...(assertion.criteria ?? [])].some(({ threshold }) => threshold !== 0);
    default:
      return true;
  }
}

function pinnedCalls({ steps }: AskingCase, { toolName, serverName }: CallScope) {
  return steps.filter(
    (step) =>
      step.kind === 'toolCall' &&
      (toolName === undefined || step.toolName === toolName) &&
      (serverName === undefined || step.serverName === serverName),
  );
}

function modelCouldCall(scope: CallScope, one: AskingCase, servers: ListedServers): boolean {
  if (whyNoCall(one, servers) !== undefined) return false;
  const { toolName, serverName } = scope;
  return toolName === undefined || !isNotListed({ toolName, serverName }, servers);
}

/**
 * Returns whether a tool that is not allowed could be called. A model may also request tools that
 * no server lists, so the answer is false only if the model cannot call anything.
 */
function couldCallOther(
  allowed: readonly string[],
  one: AskingCase,
  servers: ListedServers,
): boolean {
  const { steps } = one;
  return (
    steps.some((step) => step.kind === 'toolCall' && !allowed.includes(step.toolName)) ||
    whyNoCall(one, servers) === undefined
  );
}

/**
 * Returns the highest possible number of turns. Each prompt of the case is one turn; a prompt from
 * a server may expand to any number of turns.
 */
function mostTurns({ steps }: AskingCase): number {
  if (steps.some(({ kind }) => kind === 'getPrompt')) return Number.POSITIVE_INFINITY;
  return steps.filter(({ kind }) => kind === 'prompt').length;
}
