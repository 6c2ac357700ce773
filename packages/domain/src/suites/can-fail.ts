/**
 * Whether an assertion can fail in a trial that comes to its end. What forbids calls, or bounds them, cannot where no such
 * call can come about: neither does the case itself make one, nor could a model. What bounds how often needs as many of
 * them; and a threshold of 0 is reached by every score.
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
      return couldCall(assertion);
    case 'noDestructiveToolCalled':
      return couldCall({});
    // A prompt or a resource that a server does not give is an error of the server as well.
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

/** Those that the case itself makes. */
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

/** A model may also ask for what nobody lists, and that counts; so only who cannot ask at all is safe. */
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

/** Each prompt is one, and one of a server may render any number. */
function mostTurns({ steps }: AskingCase): number {
  if (steps.some(({ kind }) => kind === 'getPrompt')) return Number.POSITIVE_INFINITY;
  return steps.filter(({ kind }) => kind === 'prompt').length;
}
