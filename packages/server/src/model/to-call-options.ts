/** Our request in the words of the AI SDK's provider interface. */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
} from '@ai-sdk/provider';
import type { AssistantPart, ModelMessage, ModelRequest, ModelTool } from './model-gateway.ts';
import { providerNotesOf } from './provider-notes.ts';

export function toCallOptions(
  request: ModelRequest,
  signal: AbortSignal,
): LanguageModelV3CallOptions {
  const prompt: LanguageModelV3Message[] = [];
  if (request.system !== undefined && request.system !== '') {
    prompt.push({ role: 'system', content: request.system });
  }
  for (const message of request.messages) {
    const shown = toMessage(message);
    // Some providers refuse a message that says nothing. No trial asks with an empty prompt.
    if (shown.content.length > 0) prompt.push(shown);
  }
  const options: LanguageModelV3CallOptions = { prompt, abortSignal: signal };
  if (request.temperature !== undefined) options.temperature = request.temperature;
  if (request.maxOutputTokens !== undefined) options.maxOutputTokens = request.maxOutputTokens;
  if (request.tools.length > 0) {
    options.tools = request.tools.map(toTool);
    options.toolChoice = { type: request.toolChoice ?? 'auto' };
  }
  return options;
}

/** Without texts that are empty. */
function toMessage(message: ModelMessage): LanguageModelV3Message {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: message.content === '' ? [] : [{ type: 'text', text: message.content }],
      };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content
          .filter((part) => part.type !== 'text' || part.text !== '')
          .map(toAssistantPart),
      };
    case 'tool':
      return {
        role: 'tool',
        content: message.content.map(({ toolCallId, toolName, output }) => ({
          type: 'tool-result',
          toolCallId,
          toolName,
          output:
            output.type === 'json'
              ? { type: 'json', value: (output.value ?? null) as null }
              : { type: 'error-text', value: output.value },
        })),
      };
  }
}

type PromptPart = Exclude<
  Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number],
  { type: 'file' | 'tool-result' | 'reasoning' }
>;

function toAssistantPart(part: AssistantPart): PromptPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { toolCallId, toolName, input } = part;
  const notes = providerNotesOf(input);
  const call = { type: 'tool-call' as const, toolCallId, toolName, input };
  return notes === undefined ? call : { ...call, providerOptions: notes };
}

function toTool(tool: ModelTool): LanguageModelV3FunctionTool {
  const { name, inputSchema, description } = tool;
  const shown: LanguageModelV3FunctionTool = { type: 'function', name, inputSchema };
  if (description !== undefined) shown.description = description;
  return shown;
}
