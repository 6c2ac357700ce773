import {
  assertionKind,
  assertionSchema,
  holds,
  positiveCount,
  scopeFields,
} from './assertion-kind.ts';
import { callsMadeIn, noCallIn, ofScope, showCallIn } from './call-scope.ts';
import { everyCall } from './combine-call-answers.ts';

export const toolLatencyUnder = assertionKind({
  stage: 'response',
  inTurn: 'callsOfTurn',
  schema: assertionSchema('toolLatencyUnder', { ms: positiveCount, ...scopeFields }),
  evaluate({ ms, toolName, serverName }, { toolCalls }) {
    const scope = { toolName, serverName };
    return everyCall(
      callsMadeIn(toolCalls, scope),
      (call) => {
        const shown = showCallIn(call, scope);
        const { latencyMs: took, stillMs = 0 } = call;
        if (took === undefined || !Number.isFinite(took) || took < 0) {
          return { state: 'unknown', sentence: `A call of ${shown} was not timed.` };
        }
        const sentence = `A call of ${shown} took ${Math.ceil(took)} ms; the time must be below ${ms} ms.`;
        if (took < ms) return { state: 'yes', sentence };
        if (took - stillMs >= ms) return { state: 'no', sentence };
        return {
          state: 'unknown',
          sentence: `A call of ${shown} took ${Math.ceil(took)} ms, but Proofmark itself was paused for ${Math.ceil(stillMs)} ms of that time; the time must be below ${ms} ms.`,
        };
      },
      {
        none: holds(noCallIn(scope)),
        held: `Every call${ofScope(scope)} took less than ${ms} ms.`,
      },
    );
  },
});
