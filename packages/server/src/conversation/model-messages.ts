import type { ModelMessage, ToolResultPart } from '../outside/model/model-gateway.ts';
import { sizeOf } from './limit-trace.ts';

const maxAskedBytes = 8 * 1024 * 1024;

export class ModelMessages {
  readonly messages: ModelMessage[] = [];
  #bytes = 0;
  /** All results before this index are already cut. */
  #cutBefore = 0;

  add(message: ModelMessage): void {
    this.messages.push(message);
    this.#bytes += sizeOf(message, Number.POSITIVE_INFINITY);
  }

  /** Cuts tool results, oldest first, until the messages fit. Returns whether any was cut. */
  fit(maxBytes = maxAskedBytes): boolean {
    const before = this.#cutBefore;
    while (this.#bytes > maxBytes && this.#cutBefore < this.messages.length) {
      const message = this.messages[this.#cutBefore];
      if (message?.role === 'tool') {
        const cut: ModelMessage = { role: 'tool', content: message.content.map(cutResult) };
        this.#bytes += sizeOf(cut, maxBytes) - sizeOf(message, Number.POSITIVE_INFINITY);
        this.messages[this.#cutBefore] = cut;
      }
      this.#cutBefore += 1;
    }
    return this.messages.slice(before, this.#cutBefore).some(({ role }) => role === 'tool');
  }
}

function cutResult({ type, toolCallId, toolName }: ToolResultPart): ToolResultPart {
  const text = '[This result was cut: a request to a model may have at most 8 MiB.]';
  const value = { content: [{ type: 'text', text }] };
  return { type, toolCallId, toolName, output: { type: 'json', value } };
}
