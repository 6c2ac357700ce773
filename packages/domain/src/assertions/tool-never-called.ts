import { assertionKind, assertionSchema, toolFields } from './assertion-kind.ts';
import { showTool } from './show-tool.ts';
import { times, wasCalled } from './times.ts';
import { callsMadeOf, isCallOf } from './transcript.ts';

export const toolNeverCalled = assertionKind({
  stage: 'selection',
  schema: assertionSchema('toolNeverCalled', toolFields),
  evaluate(tool, { toolCalls }) {
    const asked = toolCalls.filter((call) => isCallOf(call, tool)).length;
    const made = callsMadeOf(toolCalls, tool).length;
    const unmade = asked > made ? `, and was requested ${times(asked - made)} without a call` : '';
    return { passed: asked === 0, reason: `${showTool(tool)} ${wasCalled(made)}${unmade}.` };
  },
});
