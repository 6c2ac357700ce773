import { hideSecrets } from '../assertions/redact.ts';
import { isRecord } from '../kernel/json.ts';

export interface ShownMessage {
  readonly role: string;
  readonly text: string;
  readonly toolName?: string;
  readonly createdAt?: number;
}

/** The largest conversation that can be shown in pages, in bytes. */
export const longestTranscriptBytes = 8 * 1024 * 1024;

export interface TranscriptPage {
  readonly messages: readonly ShownMessage[];
  /** Absent on the last page. */
  readonly nextOffset?: number;
}

export function pageOfTranscript(
  recorded: readonly unknown[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): TranscriptPage {
  const messages = recorded.slice(offset, offset + limit).map(messageOf);
  const isMore = offset + limit < recorded.length;
  return { messages, ...(isMore && { nextOffset: offset + limit }) };
}

export function countConversationMessages(recorded: readonly unknown[]): number {
  return recorded.filter((one) => !isRecord(one) || one['role'] !== 'tool').length;
}

/**
 * Hides text that looks like a secret, since the text is also shown to people who did not write it.
 */
export function withoutSecretShapes(text: string): string {
  return String(hideSecrets(text));
}

function messageOf(recorded: unknown): ShownMessage {
  const message = isRecord(recorded) ? recorded : {};
  const { role, text, toolName, createdAt } = message;
  const hasShownText = role !== 'tool' && typeof text === 'string';
  return {
    role: typeof role === 'string' && role !== '' ? role : 'unknown',
    text: hasShownText ? withoutSecretShapes(text) : '',
    ...(typeof toolName === 'string' && { toolName }),
    ...(typeof createdAt === 'number' && { createdAt }),
  };
}
