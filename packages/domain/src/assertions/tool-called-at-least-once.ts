import { assertionKind, assertionSchema, toolFields } from './assertion-kind.ts';
import { showTool } from './show-tool.ts';
import { wasCalled } from './times.ts';
import { callsMadeOf, isCallOf, type ToolCall } from './transcript.ts';

export const toolCalledAtLeastOnce = assertionKind({
  stage: 'selection',
  schema: assertionSchema('toolCalledAtLeastOnce', toolFields),
  evaluate(tool, { toolCalls }) {
    const calls = callsMadeOf(toolCalls, tool).length;
    const isMalformed = (call: ToolCall) =>
      call.notMade === 'invalidArguments' && isCallOf(call, tool);
    const why =
      calls === 0 && toolCalls.some(isMalformed)
        ? ': the model requested it with arguments that are not a JSON object'
        : '';
    return { passed: calls >= 1, reason: `${showTool(tool)} ${wasCalled(calls)}${why}.` };
  },
});
