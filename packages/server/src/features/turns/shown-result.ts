/**
 * Builds the visitor's view of a tool result: text up to a maximum length. For other content
 * blocks, only type and size are shown.
 */
import { isRecord, visitBounds } from '@proofmark/domain';
import type { ToolResultPart } from '../../outside/model/model-gateway.ts';

export interface ShownResult {
  readonly isError: boolean;
  readonly text: string;
  readonly omitted?: readonly string[];
}

export function shownToVisitor(output: ToolResultPart['output']): ShownResult {
  // The error text is replaced, because it may contain the address of the server.
  if (output.type === 'error-text') return { isError: true, text: 'The tool gave no result.' };
  const value = isRecord(output.value) ? output.value : {};
  const blocks = Array.isArray(value['content']) ? value['content'].filter(isRecord) : [];
  const texts = blocks.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  );
  const others = blocks.filter(({ type }) => type !== 'text').map(nameBlock);
  const structured = value['structuredContent'];
  const text =
    texts.length === 0 && structured !== undefined ? JSON.stringify(structured) : texts.join('\n');
  const isLong = text.length > visitBounds.toolTextCharacters;
  const omitted = isLong ? [...others, `text, ${sizeOf(text.length)} in all`] : others;
  return {
    isError: value['isError'] === true,
    text: text.slice(0, visitBounds.toolTextCharacters).toWellFormed(),
    ...(omitted.length > 0 && { omitted: omitted.slice(0, mostNamed) }),
  };
}

const mostNamed = 20;

function nameBlock({ type, data, resource }: Readonly<Record<string, unknown>>): string {
  const name = typeof type === 'string' ? type.slice(0, 40) : 'something';
  // The size of base64 data: four characters encode three bytes.
  const bytes =
    typeof data === 'string'
      ? Math.floor((data.length * 3) / 4)
      : JSON.stringify(resource ?? '').length;
  return `${name}, ${sizeOf(bytes)}, not shown`;
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}
