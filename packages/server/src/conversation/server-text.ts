/**
 * Reads the text of a server's prompt or resource. Content that is no text is replaced by a note.
 */
import { isRecord, type Json } from '@proofmark/domain';

/** Maximum number of characters of one prompt or resource. */
export const longestText = 100_000;

export function readMessage(message: unknown): { readonly role: string; readonly text: string } {
  if (!isRecord(message)) return { role: 'user', text: '' };
  const { role, content } = message;
  const parts = Array.isArray(content) ? content : [content];
  const text = parts.map(textOfPart).join('\n');
  return { role: role === 'assistant' ? 'assistant' : 'user', text };
}

function textOfPart(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isRecord(part)) return '';
  if (typeof part['text'] === 'string') return part['text'];
  if (isRecord(part['resource'])) return textOfResource(part['resource']);
  return notIncluded(part);
}

export function textOfContents(result: Json): string {
  return listOf(result['contents']).map(textOfResource).join('\n\n');
}

function textOfResource(content: unknown): string {
  if (!isRecord(content)) return '';
  return typeof content['text'] === 'string' ? content['text'] : notIncluded(content);
}

function notIncluded({ type, mimeType, uri }: Json): string {
  const named = [mimeType, type, uri].find((one): one is string => typeof one === 'string');
  return `[A part${named === undefined ? '' : ` (${named.slice(0, 200)})`} is not included: it is not text.]`;
}

export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
