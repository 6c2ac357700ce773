import { assertionKind, assertionSchema, toolFields } from './assertion-kind.ts';
import { showTool } from './show-tool.ts';
import { wasCalled } from './times.ts';
import { isCallOf } from './transcript.ts';

export const toolNeverCalled = assertionKind({
  schema: assertionSchema('toolNeverCalled', toolFields),
  evaluate(tool, { toolCalls }) {
    const calls = toolCalls.filter((call) => isCallOf(call, tool)).length;
    return { passed: calls === 0, reason: `${showTool(tool)} ${wasCalled(calls)}.` };
  },
});
