/** Combines the parts of a streamed answer into the result of an unstreamed one. */
import type {
  LanguageModelV3Content,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
} from '@ai-sdk/provider';
import type { WholeReply } from './read-reply.ts';
import { unreadableReply } from './send-failure.ts';

/**
 * Calls `onText` with all of the text so far whenever the text grows. Returns undefined if the
 * provider does not stream; the caller then requests the whole answer.
 */
export async function collectStreamedReply(
  { stream, response }: LanguageModelV3StreamResult,
  onText: (soFar: string) => void,
): Promise<WholeReply | undefined> {
  if (/^application\/json\b/i.test(response?.headers?.['content-type'] ?? '')) {
    await stream.cancel();
    return undefined;
  }
  const reply = new StreamedReply();
  for await (const part of stream) {
    if (reply.take(part)) onText(reply.text);
  }
  return reply.whole();
}

type Piece = Extract<LanguageModelV3Content, { type: 'text' | 'reasoning' }>;
type End = Extract<LanguageModelV3StreamPart, { type: 'finish' }>;

class StreamedReply {
  text = '';
  readonly #content: LanguageModelV3Content[] = [];
  readonly #open = new Map<string, Piece>();
  #warnings: WholeReply['warnings'] = [];
  #response: WholeReply['response'];
  #end: End | undefined;

  take(part: LanguageModelV3StreamPart): boolean {
    switch (part.type) {
      case 'stream-start':
        this.#warnings = part.warnings;
        return false;
      case 'response-metadata':
        this.#response = { ...this.#response, ...part };
        return false;
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#addPart(part, 'text');
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#addPart(part, 'reasoning');
      case 'tool-call':
        this.#content.push(part);
        return false;
      case 'finish':
        this.#end = part;
        return false;
      case 'error':
        throw part.error;
      default:
        return false;
    }
  }

  whole(): WholeReply {
    if (this.#end === undefined) throw unreadableReply();
    const { usage, finishReason } = this.#end;
    const response = this.#response && { response: this.#response };
    return { content: this.#content, warnings: this.#warnings, usage, finishReason, ...response };
  }

  #addPart(
    part: Extract<
      LanguageModelV3StreamPart,
      { id: string; type: `text-${string}` | `reasoning-${string}` }
    >,
    type: Piece['type'],
  ): boolean {
    const key = `${type} ${part.id}`;
    const open: Piece = this.#open.get(key) ?? { type, text: '' };
    if (!this.#open.has(key)) {
      this.#open.set(key, open);
      this.#content.push(open);
    }
    // Some providers send the signature with the first part, some with the last, so each part may
    // set it.
    if (part.providerMetadata !== undefined) open.providerMetadata = part.providerMetadata;
    if (part.type.endsWith('-end')) this.#open.delete(key);
    if (!('delta' in part) || part.delta === '') return false;
    open.text += part.delta;
    if (type === 'text') this.text += part.delta;
    return type === 'text';
  }
}
