/** The result of a call as a client gives it to a model: neither the pages of widgets, nor what is said to hosts alone. */
import { isRecord, type Json } from '@proofmark/domain';
import type { ToolResultPart } from '../outside/model/model-gateway.ts';
import { isWidget } from '../outside/model/tool-result-content.ts';

type Output = ToolResultPart['output'];

/** The output itself where there is nothing to leave out. */
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
