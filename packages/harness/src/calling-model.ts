/**
 * A model that reads a tool name from its prompt, calls the tool without arguments and answers with
 * the result.
 */
import type { ModelRequest } from '../../server/src/outside/model/model-gateway.ts';
import {
  createScriptedModel,
  type ScriptedModel,
  type ScriptedReply,
} from '../../server/src/outside/model/scripted-model.ts';

export function callingModel(): ScriptedModel {
  return createScriptedModel(async ({ messages }: ModelRequest): Promise<ScriptedReply> => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return { text: JSON.stringify(last.content) };
    const asked = messages.findLast(({ role }) => role === 'user')?.content;
    return { toolCalls: [{ toolCallId: '1', toolName: String(asked), input: {} }] };
  }, 'scripted/one');
}

/** Returns steps that prompt for one call of each tool, then expect the text in the last answer. */
export function callsAndSays(tools: readonly string[], needle: string): object[] {
  return [
    ...tools.map((prompt, index) => ({ id: `ask-${index}`, kind: 'prompt', prompt })),
    { id: 'said', kind: 'assert', assertion: { type: 'responseContains', needle } },
  ];
}
