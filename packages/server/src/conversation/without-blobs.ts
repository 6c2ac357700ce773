/**
 * Returns a call's result for the trace. Base64 data is replaced by its kind and size, because
 * megabytes of it help no reader. The model got the whole result.
 */
import { isRecord, type Json } from '@proofmark/domain';
import type { ToolResultPart } from '../outside/model/model-gateway.ts';
import { sizeInWords } from '../outside/model/tool-result-content.ts';

type Output = ToolResultPart['output'];
/** Returns the same object if there is nothing to replace. */
export function withoutBlobs(output: Output): Output {
  if (output.type !== 'json') return output;
  const { value } = output;
  const content = isRecord(value) ? value['content'] : undefined;
  if (!Array.isArray(content)) return output;
  const kept = content.map(keptBlock);
  const isSame = kept.every((block, index) => block === content[index]);
  return isSame ? output : { type: 'json', value: { ...(value as Json), content: kept } };
}

function keptBlock(block: unknown): unknown {
  if (!isRecord(block)) return block;
  if (isLong(block['data'])) return { ...block, data: omittedText(block['data']) };
  const { resource } = block;
  if (!isRecord(resource) || !isLong(resource['blob'])) return block;
  return { ...block, resource: { ...resource, blob: omittedText(resource['blob']) } };
}

function omittedText(base64: string): string {
  return `[${sizeInWords(base64)}, not kept in the trace]`;
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > longestBlob;
}

const longestBlob = 1_000;
