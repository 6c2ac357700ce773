/**
 * What came back of a call, as assertions see it: whole and with every word, for they are asked before anything is cut or
 * hidden. The texts are those that the messages hold already. All results of a trial together keep at most 8 MiB; one that
 * does not fit any more says so, and an assertion that needs it has no answer.
 */
import { type CallResult, isRecord, type Json } from '@proofmark/domain';
import { toolResultContent } from '../outside/model/tool-result-content.ts';
import { sizeOf } from './limit-trace.ts';

export class ResultBudget {
  #left = maxResultBytes;

  /** Of a result that the server sent. */
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

/** Of a call that the server answered without a result; the model is told the message. */
export function withoutResultBy(message: string, told: string): CallResult {
  return { error: { kind: 'protocol-error', message }, sizeBytes: Buffer.byteLength(told) };
}

/** In UTF-8, before any cut; images are given as they came. */
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
  // One text is held as it is, not copied.
  return texts.length > 1 ? texts.join('\n') : texts[0];
}

const maxResultBytes = 8 * 1024 * 1024;
