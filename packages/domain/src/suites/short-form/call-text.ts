/**
 * Writes a call in the short form of suite files, such as `get_book(bookId: 3)`. A long call, a
 * call that names its server, and a tool name that would be misread are written as a map.
 */
import { isRecord, type Json } from '../../kernel/json.ts';
import type { WrittenCall } from './read-call.ts';

const longestText = 100;

export function callText({ tool, server, arguments: given }: WrittenCall): string | Json {
  const text = Object.keys(given).length === 0 ? tool : `${tool}(${entriesText(given)})`;
  const isPlain = /^[\w./-]+$/.test(tool) && text.length <= longestText;
  if (server === undefined && isPlain) return text;
  return {
    ...(server !== undefined && { server }),
    tool,
    ...(Object.keys(given).length > 0 && { arguments: given }),
  };
}

function entriesText(given: Json): string {
  return Object.entries(given)
    .map(([name, value]) => `${scalarText(name)}: ${flowText(value)}`)
    .join(', ');
}

function flowText(value: unknown): string {
  if (typeof value === 'string') return scalarText(value);
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  return isRecord(value) ? `{ ${entriesText(value)} }` : JSON.stringify(value);
}

function scalarText(text: string): string {
  const isPlain = /^[A-Za-z][\w-]*(?: [\w-]+)*$/.test(text);
  const isWord = /^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain && !isWord ? text : JSON.stringify(text);
}
