import { canonicalJson } from '../kernel/canonical-json.ts';
import { assertionKind, assertionSchema, fails, holds, scopeFields } from './assertion-kind.ts';
import { callsAskedIn, ofScope, showCallIn } from './call-scope.ts';
import { showValue } from './redact.ts';
import { times } from './times.ts';
import type { ToolCall } from './transcript.ts';

/**
 * Holds if no two calls of one tool have equal arguments. Arguments that are no JSON object count
 * as unknown.
 */
export const noRepeatedIdenticalCall = assertionKind({
  stage: 'call',
  inTurn: 'callsOfTurn',
  schema: assertionSchema('noRepeatedIdenticalCall', scopeFields),
  evaluate({ toolName, serverName }, { toolCalls }) {
    const scope = { toolName, serverName };
    const calls = callsAskedIn(toolCalls, scope).filter(
      ({ notMade }) => notMade !== 'invalidArguments',
    );
    const same = new Map<string, ToolCall[]>();
    for (const call of calls) {
      const key = canonicalJson([call.toolName, call.serverName, call.arguments]);
      same.set(key, [...(same.get(key) ?? []), call]);
    }
    const repeated = [...same.values()].find((group) => group.length > 1);
    const [call] = repeated ?? [];
    if (repeated === undefined || call === undefined) {
      return holds(`No call${ofScope(scope)} was repeated with the same arguments.`);
    }
    const shown = showCallIn(call, scope);
    const how = `${times(repeated.length)} with the arguments ${showValue(call.arguments)}`;
    return fails(`${shown} was called ${how}.`);
  },
});
