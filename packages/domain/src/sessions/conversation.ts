/** What a list of sessions shows of a conversation, and what a search looks through: words that people and models said. */
import { isRecord, type Json } from '../kernel/json.ts';

export interface Conversation {
  readonly messageCount: number;
  readonly userMessageCount: number;
  /** The beginning of what was asked first; empty where nothing was. */
  readonly firstMessagePreview: string;
  /** In order, one for each message that says something. */
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

/** Arguments and results of tools are no words of the conversation. */
function textOf({ content }: Json): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isRecord)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}

/** The hit in the middle of what is around it; nothing where there is none. Case makes no difference. */
export function matchPreviewOf(text: string, wanted: string): string | undefined {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at < 0) return undefined;
  const around = Math.max(0, previewLength - wanted.length) / 2;
  const start = Math.max(0, at - Math.floor(around));
  return text.slice(start, start + previewLength).toWellFormed();
}

/** The whole is better than a beginning, a beginning than a word, a word than a part of one. */
export function rankOfMatch(text: string, wanted: string): number {
  const all = text.toLowerCase();
  const sought = wanted.toLowerCase();
  if (!all.includes(sought)) return 0;
  if (all === sought) return 4;
  if (all.startsWith(sought)) return 3;
  return all.split(/[^\p{L}\p{N}]+/u).includes(sought) ? 2 : 1;
}
