/**
 * Returns the result of a call in the form that a client gives to a model: without the pages of
 * widgets and without `_meta`, which is for hosts.
 */
import { isRecord, type Json } from '@proofmark/domain';
import type { ToolResultPart } from '../outside/model/model-gateway.ts';
import { isWidget } from '../outside/model/tool-result-content.ts';

type Output = ToolResultPart['output'];

/** Returns the same output if there is nothing to remove. */
export function withoutWidgets(output: Output): Output {
  if (output.type !== 'json' || !isRecord(output.value)) return output;
  const { _meta, ...result } = output.value;
  const { content } = result;
  const kept = Array.isArray(content) ? content.map(keptBlock) : content;
  const isSame =
    !Array.isArray(content) || content.every((block, index) => block === (kept as [])[index]);
  if (_meta === undefined && isSame) return output;
  return { type: 'json', value: isSame ? result : { ...result, content: kept } };
}

function keptBlock(block: unknown): unknown {
  if (!isRecord(block) || !isRecord(block['resource'])) return block;
  const resource = block['resource'] as Json;
  if (!isWidget(resource)) return block;
  const { uri, mimeType } = resource;
  return { type: block['type'], resource: { uri, mimeType } };
}
