import { assertionKind, assertionSchema, toolFields } from './assertion-kind.ts';
import { showTool } from './show-tool.ts';
import { isCallOf } from './transcript.ts';

export const firstToolWas = assertionKind({
  stage: 'selection',
  schema: assertionSchema('firstToolWas', toolFields),
  evaluate({ toolName, serverName }, { toolCalls }) {
    const wanted = { toolName, serverName };
    const first = toolCalls[0];
    if (first === undefined) {
      return {
        passed: false,
        reason: `No tool was called; the first tool must be ${showTool(wanted)}.`,
      };
    }
    // The server is mentioned only if the assertion names one.
    const called = showTool(serverName === undefined ? { toolName: first.toolName } : first);
    if (first.notMade !== undefined) {
      const reason = `The first requested tool was ${called}, but the call could not be made; the first tool must be ${showTool(wanted)}.`;
      return { passed: false, reason };
    }
    const passed = isCallOf(first, wanted);
    const other = passed ? '' : `, not ${showTool(wanted)}`;
    return { passed, reason: `The first tool called was ${called}${other}.` };
  },
});
