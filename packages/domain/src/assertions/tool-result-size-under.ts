import {
  assertionKind,
  assertionSchema,
  holds,
  positiveCount,
  scopeFields,
} from './assertion-kind.ts';
import { callsMadeIn, noCallIn, ofScope, showCallIn } from './call-scope.ts';
import { everyCall } from './combine-call-answers.ts';

/** The size is that of the full result, measured before a long result is cut. */
export const toolResultSizeUnder = assertionKind({
  stage: 'response',
  inTurn: 'callsOfTurn',
  schema: assertionSchema('toolResultSizeUnder', { maxBytes: positiveCount, ...scopeFields }),
  evaluate({ maxBytes, toolName, serverName }, { toolCalls }) {
    const scope = { toolName, serverName };
    return everyCall(
      callsMadeIn(toolCalls, scope),
      (call) => {
        const shown = showCallIn(call, scope);
        const bytes = call.result?.sizeBytes;
        if (bytes === undefined || !Number.isFinite(bytes) || bytes < 0) {
          return { state: 'unknown', sentence: `The result of ${shown} was not measured.` };
        }
        const sentence = `A result of ${shown} has ${bytes} bytes; the number must be below ${maxBytes}.`;
        return { state: bytes < maxBytes ? 'yes' : 'no', sentence };
      },
      {
        none: holds(noCallIn(scope)),
        held: `Every result${ofScope(scope)} has less than ${maxBytes} bytes.`,
      },
    );
  },
});
