/**
 * Numbers the calls of a trial call-1, call-2 and so on, in the order of the model's requests: in
 * the trace, and so for judges, scorers and every other reader. A provider makes up new ids each
 * time, so a question with them would never repeat exactly. The provider itself gets its original
 * ids.
 */
import type {
  AssistantPart,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ToolResultPart,
} from '../outside/model/model-gateway.ts';

export class OwnCallIds {
  readonly #theirs = new Map<string, string>();
  /** An equal message is always the same object, so that a recorder stores shared messages once. */
  readonly #messages = new WeakMap<ModelMessage, ModelMessage>();

  /** Renumbers a reply. Two calls with one id from a provider are still two calls. */
  asOurs(reply: ModelReply): ModelReply {
    if (reply.toolCalls.length === 0) return reply;
    const toolCalls = reply.toolCalls.map((call) => {
      const toolCallId = `call-${this.#theirs.size + 1}`;
      this.#theirs.set(toolCallId, call.toolCallId);
      return { ...call, toolCallId };
    });
    return { ...reply, toolCalls };
  }

  asTheirs(request: ModelRequest): ModelRequest {
    if (this.#theirs.size === 0) return request;
    return { ...request, messages: request.messages.map((message) => this.#message(message)) };
  }

  #message(message: ModelMessage): ModelMessage {
    if (message.role === 'user') return message;
    const known = this.#messages.get(message) ?? this.#renamed(message);
    this.#messages.set(message, known);
    return known;
  }

  #renamed(message: Exclude<ModelMessage, { role: 'user' }>): ModelMessage {
    if (message.role === 'tool') {
      return { role: 'tool', content: message.content.map((part) => this.#part(part)) };
    }
    const content = message.content.map((part) =>
      part.type === 'tool-call' ? this.#part(part) : part,
    );
    return { role: 'assistant', content };
  }

  /** A provider's attachments are stored with the input of a call, which stays the same object. */
  #part<Part extends ToolResultPart | Extract<AssistantPart, { type: 'tool-call' }>>(
    part: Part,
  ): Part {
    const theirs = this.#theirs.get(part.toolCallId);
    return theirs === undefined ? part : { ...part, toolCallId: theirs };
  }
}
