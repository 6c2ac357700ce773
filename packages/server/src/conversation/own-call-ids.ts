/**
 * Renumbers a trial's calls as call-1, call-2 and so on, in the order in which the model requested
 * them. Providers invent new ids each time, which would make every request to a judge or scorer
 * different. Only the provider gets its own ids back.
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
  /**
   * The messages with the provider's ids. The same message always gives the same object, so that a
   * recorder stores shared messages once.
   */
  readonly #messages = new WeakMap<ModelMessage, ModelMessage>();

  /** Replaces the ids. Each call gets a different id, even if a provider repeats one. */
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

  /**
   * Replaces only the id. The input must stay the same object, because data of the provider is
   * stored under that object's identity.
   */
  #part<Part extends ToolResultPart | Extract<AssistantPart, { type: 'tool-call' }>>(
    part: Part,
  ): Part {
    const theirs = this.#theirs.get(part.toolCallId);
    return theirs === undefined ? part : { ...part, toolCallId: theirs };
  }
}
