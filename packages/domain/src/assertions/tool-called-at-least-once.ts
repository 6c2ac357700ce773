import { assertionKind, assertionSchema, toolFields } from './assertion-kind.ts';
import { showTool } from './show-tool.ts';
import { wasCalled } from './times.ts';
import { callsMadeOf } from './transcript.ts';

export const toolCalledAtLeastOnce = assertionKind({
  stage: 'selection',
  schema: assertionSchema('toolCalledAtLeastOnce', toolFields),
  evaluate(tool, { toolCalls }) {
    const calls = callsMadeOf(toolCalls, tool).length;
    return { passed: calls >= 1, reason: `${showTool(tool)} ${wasCalled(calls)}.` };
  },
});
