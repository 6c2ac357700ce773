/** A model that calls the tool its prompt names, with nothing, and then says what came back. */
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

/** Calls each tool in turn and wants the last answer to hold the text. */
export function callsAndSays(tools: readonly string[], needle: string): object[] {
  return [
    ...tools.map((prompt, index) => ({ id: `ask-${index}`, kind: 'prompt', prompt })),
    { id: 'said', kind: 'assert', assertion: { type: 'responseContains', needle } },
  ];
}
