import {
  assertionKind,
  assertionSchema,
  fails,
  holds,
  toolFields,
  toolNameField,
} from './assertion-kind.ts';
import { showTool } from './show-tool.ts';
import { isCallOf } from './transcript.ts';

/** Holds if a call of `toolName` was made before the first call of `beforeToolName`. */
export const toolCalledBefore = assertionKind({
  stage: 'selection',
  inTurn: 'callsOfTurn',
  isChoiceOfModel: true,
  schema: assertionSchema('toolCalledBefore', {
    ...toolFields,
    beforeToolName: toolNameField,
    beforeServerName: toolNameField.optional(),
  }),
  evaluate({ toolName, serverName, beforeToolName, beforeServerName }, { toolCalls }) {
    const earlier = { toolName, serverName };
    const later = { toolName: beforeToolName, serverName: beforeServerName };
    const firstEarlier = toolCalls.findIndex(
      (call) => call.notMade === undefined && isCallOf(call, earlier),
    );
    const firstLater = toolCalls.findIndex((call) => isCallOf(call, later));
    const names = { earlier: showTool(earlier), later: showTool(later) };
    if (firstLater < 0) {
      return holds(`${names.later} was never called, so nothing had to come before it.`);
    }
    if (firstEarlier < 0) {
      return fails(`${names.later} was called, but ${names.earlier} was never called.`);
    }
    return firstEarlier < firstLater
      ? holds(`${names.earlier} was called before ${names.later}.`)
      : fails(`${names.later} was called before ${names.earlier}.`);
  },
});
