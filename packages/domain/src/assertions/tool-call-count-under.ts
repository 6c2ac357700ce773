import { assertionKind, assertionSchema, positiveCount, scopeFields } from './assertion-kind.ts';
import { callsAskedIn, ofScope } from './call-scope.ts';

/**
 * Holds if there are fewer calls than `count`. A call that was requested but could not be made
 * counts too.
 */
export const toolCallCountUnder = assertionKind({
  stage: 'selection',
  inTurn: 'callsOfTurn',
  isChoiceOfModel: true,
  schema: assertionSchema('toolCallCountUnder', { count: positiveCount, ...scopeFields }),
  evaluate({ count, ...scope }, { toolCalls }) {
    const asked = callsAskedIn(toolCalls, scope).length;
    const calls = `${asked} ${asked === 1 ? 'call' : 'calls'}${ofScope(scope)}`;
    return { passed: asked < count, reason: `${calls}; the number must be below ${count}.` };
  },
});
