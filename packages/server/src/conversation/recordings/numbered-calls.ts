/**
 * Ids of calls in a recording: providers make up new ones each time, but equal conversations must
 * have equal recordings.
 */
import { isRecord } from '@proofmark/domain';

export class NumberedCalls {
  readonly #ids = new Map<string, string>();

  /** Numbers the calls of an answer; each new id gets the next number. */
  number<Call extends { readonly toolCallId: string }>(calls: readonly Call[]): Call[] {
    return calls.map((call) => {
      const known = this.#ids.get(call.toolCallId) ?? `call-${this.#ids.size + 1}`;
      this.#ids.set(call.toolCallId, known);
      return { ...call, toolCallId: known };
    });
  }

  /** Replaces ids that a model made up; returns the message itself if there are none. */
  renumber(message: unknown): unknown {
    const content = isRecord(message) ? message['content'] : undefined;
    if (!isRecord(message) || !Array.isArray(content)) return message;
    return { ...message, content: content.map((part) => this.#part(part)) };
  }

  #part(part: unknown): unknown {
    const toolCallId = isRecord(part) ? part['toolCallId'] : undefined;
    const known = typeof toolCallId === 'string' ? this.#ids.get(toolCallId) : undefined;
    return isRecord(part) && known !== undefined ? { ...part, toolCallId: known } : part;
  }
}
