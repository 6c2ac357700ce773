/**
 * Converts our request for the AI SDK's provider interface. Tool results become content parts,
 * never raw JSON.
 */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
} from '@ai-sdk/provider';
import type { ModelProviderKind } from '@proofmark/domain';
import type {
  AssistantPart,
  ModelMessage,
  ModelRequest,
  ModelTool,
  ToolResultPart,
} from './model-gateway.ts';
import { providerNotesOf } from './provider-notes.ts';
import { providerOptionsOf } from './provider-options.ts';
import { type ResultImage, toolResultContent } from './tool-result-content.ts';

/**
 * Where the images of tool results go: into the result beside its texts, into a separate message
 * after it, or nowhere.
 */
export type ImagePosition = 'inResult' | 'inMessage' | 'none';

export function toCallOptions(
  request: ModelRequest,
  signal: AbortSignal,
  images: ImagePosition = 'none',
  kind?: ModelProviderKind,
): LanguageModelV3CallOptions {
  const prompt = promptOf(request, images);
  const options: LanguageModelV3CallOptions = { prompt, abortSignal: signal };
  if (request.temperature !== undefined) options.temperature = request.temperature;
  if (request.topP !== undefined) options.topP = request.topP;
  if (request.maxOutputTokens !== undefined) options.maxOutputTokens = request.maxOutputTokens;
  if (request.seed !== undefined) options.seed = request.seed;
  const ofProvider = kind === undefined ? undefined : providerOptionsOf(kind, request);
  if (ofProvider !== undefined) options.providerOptions = ofProvider;
  if (request.tools.length > 0) {
    options.tools = request.tools.map(toTool);
    options.toolChoice = { type: request.toolChoice ?? 'auto' };
  }
  return options;
}

function promptOf(request: ModelRequest, images: ImagePosition): LanguageModelV3Message[] {
  const prompt: LanguageModelV3Message[] = [];
  if (request.system !== undefined && request.system !== '') {
    prompt.push({ role: 'system', content: request.system });
  }
  for (const message of request.messages) {
    const shown = toMessage(message, images);
    // Some providers reject an empty message, so it is left out. The prompt of a trial is never
    // empty.
    if (shown.content.length > 0) prompt.push(shown);
    const pictured = images === 'inMessage' ? imagesOf(message) : [];
    if (pictured.length > 0) prompt.push(imageMessage(pictured));
  }
  return prompt;
}

function toMessage(message: ModelMessage, images: ImagePosition): LanguageModelV3Message {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: message.content === '' ? [] : [{ type: 'text', text: message.content }],
      };
    case 'assistant':
      return {
        role: 'assistant',
        content: saysSomething(message.content)
          ? message.content
              .filter((part) => part.type !== 'text' || part.text !== '')
              .map(toAssistantPart)
          : [],
      };
    case 'tool':
      return {
        role: 'tool',
        content: message.content.map(({ toolCallId, toolName, output }) => ({
          type: 'tool-result',
          toolCallId,
          toolName,
          output: toOutput(output, images),
        })),
      };
  }
}

function toOutput(
  output: ToolResultPart['output'],
  images: ImagePosition,
): LanguageModelV3ToolResultOutput {
  if (output.type === 'error-text') return output;
  const content = toolResultContent(output.value);
  if (content === undefined) return { type: 'json', value: (output.value ?? null) as null };
  const { text, isError } = content;
  if (isError) return { type: 'error-text', value: text };
  if (images !== 'inResult' || content.images.length === 0) return { type: 'text', value: text };
  const pictured = content.images.map((image) => ({ type: 'image-data' as const, ...image }));
  return { type: 'content', value: [{ type: 'text', text }, ...pictured] };
}

function imagesOf(message: ModelMessage): readonly ResultImage[] {
  if (message.role !== 'tool') return [];
  return message.content.flatMap(({ output }) => {
    const content = output.type === 'json' ? toolResultContent(output.value) : undefined;
    return content === undefined || content.isError ? [] : content.images;
  });
}

function imageMessage(images: readonly ResultImage[]): LanguageModelV3Message {
  return {
    role: 'user',
    content: [
      { type: 'text', text: 'The images of the results above:' },
      ...images.map((image) => ({ type: 'file' as const, ...image })),
    ],
  };
}

type PromptPart = Exclude<
  Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number],
  { type: 'file' | 'tool-result' }
>;

/**
 * Returns whether an assistant message contains more than reasoning. Reasoning alone is not sent as
 * a message.
 */
function saysSomething(content: readonly AssistantPart[]): boolean {
  return content.some(
    (part) => part.type === 'tool-call' || (part.type === 'text' && part.text !== ''),
  );
}

function toAssistantPart(part: AssistantPart): PromptPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'reasoning') {
    const notes = providerNotesOf(part);
    const reasoning = { type: 'reasoning' as const, text: part.text };
    return notes === undefined ? reasoning : { ...reasoning, providerOptions: notes };
  }
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
