/**
 * Stores the complete results of calls, because assertions are evaluated before results are cut or
 * redacted. A trial's results are limited to 8 MiB. A result beyond the limit is only marked, and
 * an assertion that needs it stays unanswered.
 */
import { type CallResult, isRecord, type Json } from '@proofmark/domain';
import { toolResultContent } from '../outside/model/tool-result-content.ts';
import { sizeOf } from './limit-trace.ts';

export class ResultBudget {
  #left = maxResultBytes;

  /** Stores a result. A result that no longer fits is only marked as cut. */
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

export function withoutResultBy(message: string, modelMessage: string): CallResult {
  return { error: { kind: 'protocol-error', message }, sizeBytes: Buffer.byteLength(modelMessage) };
}

/**
 * The size of the model's input in bytes of UTF-8, before anything is cut. An image counts with its
 * base64 text.
 */
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
    const contentText = type === 'resource' && isRecord(resource) ? resource['text'] : text;
    return (type === 'text' || type === 'resource') && typeof contentText === 'string'
      ? [contentText]
      : [];
  });
  // A single text is returned unchanged, because joining would copy it.
  return texts.length > 1 ? texts.join('\n') : texts[0];
}

const maxResultBytes = 8 * 1024 * 1024;
