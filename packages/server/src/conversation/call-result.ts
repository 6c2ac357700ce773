/**
 * The result of a call for assertions: complete, since they are evaluated before anything is cut or
 * hidden. The texts are shared with the messages. The results of a trial are limited to 8 MiB; a
 * result beyond that is marked, and an assertion that needs it has no answer.
 */
import { type CallResult, isRecord, type Json } from '@proofmark/domain';
import { toolResultContent } from '../outside/model/tool-result-content.ts';
import { sizeOf } from './limit-trace.ts';

export class ResultBudget {
  #left = maxResultBytes;

  /** Keeps a result that the server sent. */
  keep(result: Json): CallResult {
    const { structuredContent } = result;
    const text = textOf(result);
    const isError = result['isError'] === true;
    const kept: { -readonly [Name in keyof CallResult]: CallResult[Name] } = {
      sizeBytes: sizeForModel(result),
    };
    const held =
      (text === undefined ? 0 : Buffer.byteLength(text)) + sizeOf(structuredContent, this.#left);
    if (held > this.#left) {
      kept.isCut = true;
      if (isError) kept.error = { kind: 'content-error' };
      return kept;
    }
    this.#left -= held;
    if (text !== undefined) kept.text = text;
    if (structuredContent !== undefined) kept.structuredContent = structuredContent;
    if (isError) {
      kept.error = { kind: 'content-error', ...(text !== undefined && { message: text }) };
    }
    return kept;
  }
}

/** Returns the result for an answer that is an error; `told` is the message for the model. */
export function withoutResultBy(message: string, told: string): CallResult {
  return { error: { kind: 'protocol-error', message }, sizeBytes: Buffer.byteLength(told) };
}

/** Returns the size in UTF-8, before any cut; images count as encoded. */
function sizeForModel(result: Json): number {
  const content = toolResultContent(result);
  if (content === undefined) return Buffer.byteLength(JSON.stringify(result));
  return content.images.reduce(
    (sum, { data }) => sum + data.length,
    Buffer.byteLength(content.text),
  );
}

function textOf({ content }: Json): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((block: unknown) => {
    if (!isRecord(block)) return [];
    const { type, text, resource } = block;
    const said = type === 'resource' && isRecord(resource) ? resource['text'] : text;
    return (type === 'text' || type === 'resource') && typeof said === 'string' ? [said] : [];
  });
  // A single text is shared, not copied.
  return texts.length > 1 ? texts.join('\n') : texts[0];
}

const maxResultBytes = 8 * 1024 * 1024;
