/**
 * Exports the content of messages and calls as attributes. Text that looks secret is hidden here:
 * known secrets were removed before storing, but data from reporters was never checked. A value is
 * limited to 16 KiB; a conversation keeps its latest messages. A trace is limited to 4 MiB; later
 * spans have no content.
 */
import { hideSecrets, isRecord, type Json } from '@proofmark/domain';

export const maxContentBytes = 16 * 1024;

const maxBytesOfTrace = 4 * 1024 * 1024;

type Content = Readonly<Record<string, string>>;

export class TraceContent {
  readonly #messages: readonly Json[];
  readonly #calls = new Map<string, Json>();
  readonly #results = new Map<string, Json>();
  /** Caches serialized messages and calls, because many spans may refer to the same ones. */
  readonly #spelled = new Map<number | Json, Spelled>();
  #leftBytes = maxBytesOfTrace;

  constructor(messages: readonly unknown[]) {
    // Spans refer to messages by position. So an unreadable message is replaced by an empty one
    // instead of removed.
    this.#messages = messages.map((message) => (isRecord(message) ? message : {}));
    for (const part of this.#messages.flatMap(partsOf)) {
      const { toolCallId } = part;
      if (typeof toolCallId !== 'string') continue;
      if (part['type'] === 'tool-call') this.#calls.set(toolCallId, part);
      if (part['type'] === 'tool-result') this.#results.set(toolCallId, part);
    }
  }

  /** The output is the model's answer at these positions. The input is every message before it. */
  ofAnswer(start: number, end: number): Content {
    return this.#take({
      'gen_ai.input.messages': this.#spellMessages(0, start - 1),
      'gen_ai.output.messages': this.#spellMessages(start, end),
    });
  }

  /** The output is the last answer. The input is everything before it. */
  ofConversation(): Content {
    const last = this.#messages.findLastIndex(({ role }) => role === 'assistant');
    const end = this.#messages.length - 1;
    if (last >= 0) return this.ofAnswer(last, end);
    return end < 0 ? {} : this.#take({ 'gen_ai.input.messages': this.#spellMessages(0, end) });
  }

  ofCall(toolCallId: string): Content {
    const call = this.#calls.get(toolCallId);
    const result = this.#results.get(toolCallId);
    return this.#take({
      ...(call && { 'gen_ai.tool.call.arguments': this.#spellPart(call, 'input', 'args') }),
      ...(result && { 'gen_ai.tool.call.result': this.#spellPart(result, 'output', 'result') }),
    });
  }

  #take(content: Content): Content {
    if (this.#leftBytes <= 0) return {};
    for (const text of Object.values(content)) this.#leftBytes -= text.length;
    return content;
  }

  /**
   * Returns the latest messages that fit into the limit. Of the last message, at least the
   * beginning is kept.
   */
  #spellMessages(start: number, end: number): string {
    if (this.#leftBytes <= 0) return '';
    const kept: string[] = [];
    let left = maxContentBytes - 2;
    const last = Math.min(Math.trunc(end), this.#messages.length - 1);
    for (let at = last; at >= Math.max(0, start); at -= 1) {
      const { text, bytes, beginning } = this.#spellMessage(at);
      left -= bytes + 1;
      if (left < 0) {
        if (kept.length === 0) kept.push(beginning);
        break;
      }
      kept.unshift(text);
    }
    return `[${kept.join(',')}]`;
  }

  #spellMessage(at: number): Spelled {
    return this.#once(at, () => {
      const message = toConvention(this.#messages[at] ?? {});
      const text = JSON.stringify(hideSecrets(message));
      return spelled(text, beginningOf(String(message['role']), text));
    });
  }

  #spellPart(part: Json, name: string, otherName: string): string {
    return this.#once(part, () => {
      const hidden = hideSecrets(part[name] ?? part[otherName]);
      const text = typeof hidden === 'string' ? hidden : (JSON.stringify(hidden) ?? 'null');
      return spelled('', cutBytes(text, maxContentBytes));
    }).beginning;
  }

  #once(key: number | Json, spell: () => Spelled): Spelled {
    const known = this.#spelled.get(key) ?? spell();
    this.#spelled.set(key, known);
    return known;
  }
}

interface Spelled {
  /** Empty if the text alone exceeds the limit. */
  readonly text: string;
  readonly bytes: number;
  readonly beginning: string;
}

function spelled(text: string, beginning: string): Spelled {
  const bytes = bytesOf(text);
  return { text: bytes > maxContentBytes ? '' : text, bytes, beginning };
}

function partsOf({ content }: Json): Json[] {
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

/**
 * Converts a message to OpenTelemetry's conventions for generative AI. Parts that the conventions
 * do not define become text.
 */
function toConvention(message: Json): Json {
  const { role, content } = message;
  return {
    role: typeof role === 'string' ? role : 'user',
    parts: typeof content === 'string' ? [textPart(content)] : partsOf(message).map(toPart),
  };
}

function toPart(part: Json): Json {
  const { type, text, toolCallId: id, toolName: name } = part;
  if (type === 'text' && typeof text === 'string') return textPart(text);
  if (type === 'reasoning' && typeof text === 'string') return { type, content: text };
  if (type === 'tool-call') {
    return { type: 'tool_call', id, name, arguments: part['input'] ?? part['args'] };
  }
  if (type === 'tool-result') {
    return { type: 'tool_call_response', id, response: part['output'] ?? part['result'] };
  }
  return textPart(JSON.stringify(part));
}

function textPart(content: string): Json {
  return { type: 'text', content };
}

/** A quarter of the limit, so that the text still fits after every character is escaped again. */
function beginningOf(role: string, spelled: string): string {
  const content = cutBytes(spelled, maxContentBytes / 4);
  return JSON.stringify({ role: role.slice(0, 64), parts: [textPart(content)] });
}

const encoder = new TextEncoder();

function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

function cutBytes(text: string, most: number): string {
  if (text.length * 3 <= most) return text;
  const bytes = new Uint8Array(most);
  const { read } = encoder.encodeInto(text, bytes);
  return read === text.length ? text : text.slice(0, read);
}
