/**
 * Calls of a trial are named call-1, call-2 and so on, in the order in which the model asks for them: in the trace, and
 * so for judges, scorers and everybody else who reads it. A provider makes up other ids each time, so a question that
 * holds them is never asked twice in the same words. The provider itself is asked with its own ids.
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
  /** The same message is the same object each time: whoever records requests keeps what many of them share once. */
  readonly #messages = new WeakMap<ModelMessage, ModelMessage>();

  /** A provider that gives two calls one id still made two calls. */
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

  /** What providers attach to a call is kept beside its input, which stays the same object. */
  #part<Part extends ToolResultPart | Extract<AssistantPart, { type: 'tool-call' }>>(
    part: Part,
  ): Part {
    const theirs = this.#theirs.get(part.toolCallId);
    return theirs === undefined ? part : { ...part, toolCallId: theirs };
  }
}
