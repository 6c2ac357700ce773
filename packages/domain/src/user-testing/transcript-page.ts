/** A page of a session's conversation, for its owner. */
import { hideSecrets } from '../assertions/redact.ts';
import { isRecord } from '../kernel/json.ts';

export interface ShownMessage {
  readonly role: string;
  readonly text: string;
  readonly toolName?: string;
  readonly createdAt?: number;
}

/** Longer conversations are not shown here. */
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

/** Counts the messages of people and the assistant, without those of tools between them. */
export function countSaid(recorded: readonly unknown[]): number {
  return recorded.filter((one) => !isRecord(one) || one['role'] !== 'tool').length;
}

/** Hides texts that look like secrets from readers of other people's conversations. */
export function withoutSecretShapes(text: string): string {
  return String(hideSecrets(text));
}

/**
 * Leaves out the results of tools, and hides secrets in the messages of people and the assistant.
 */
function messageOf(recorded: unknown): ShownMessage {
  const message = isRecord(recorded) ? recorded : {};
  const { role, text, toolName, createdAt } = message;
  const isSaid = role !== 'tool' && typeof text === 'string';
  return {
    role: typeof role === 'string' && role !== '' ? role : 'unknown',
    text: isSaid ? withoutSecretShapes(text) : '',
    ...(typeof toolName === 'string' && { toolName }),
    ...(typeof createdAt === 'number' && { createdAt }),
  };
}
