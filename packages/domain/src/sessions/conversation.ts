import { isRecord, type Json } from '../kernel/json.ts';

export interface Conversation {
  readonly messageCount: number;
  readonly userMessageCount: number;
  readonly firstMessagePreview: string;
  readonly texts: readonly string[];
}

const previewLength = 200;

export function readConversation(messages: readonly unknown[]): Conversation {
  const read = messages.filter(isRecord).map((message) => ({
    isUsers: message['role'] === 'user',
    text: textOf(message),
  }));
  const users = read.filter(({ isUsers }) => isUsers);
  const first = users.find(({ text }) => text !== '')?.text ?? '';
  return {
    messageCount: read.length,
    userMessageCount: users.length,
    firstMessagePreview: first.slice(0, previewLength).toWellFormed(),
    texts: read.flatMap(({ text }) => (text === '' ? [] : [text])),
  };
}

function textOf({ content }: Json): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isRecord)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}

export function matchPreviewOf(text: string, wanted: string): string | undefined {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at < 0) return undefined;
  const around = Math.max(0, previewLength - wanted.length) / 2;
  const start = Math.max(0, at - Math.floor(around));
  return text.slice(start, start + previewLength).toWellFormed();
}

/**
 * Returns 4 if the match is the whole text, 3 at its beginning, 2 for a whole word, 1 for a part of
 * a word, and 0 without a match.
 */
export function rankOfMatch(text: string, wanted: string): number {
  const all = text.toLowerCase();
  const sought = wanted.toLowerCase();
  if (!all.includes(sought)) return 0;
  if (all === sought) return 4;
  if (all.startsWith(sought)) return 3;
  return all.split(/[^\p{L}\p{N}]+/u).includes(sought) ? 2 : 1;
}
