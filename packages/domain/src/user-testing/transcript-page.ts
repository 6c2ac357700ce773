/** A page of what was said in a session, as its owner reads it. */
import { hideSecrets } from '../assertions/redact.ts';
import { isRecord } from '../kernel/json.ts';

export interface ShownMessage {
  readonly role: string;
  readonly text: string;
  readonly toolName?: string;
  readonly createdAt?: number;
}

/** Beyond so many bytes nobody reads it here. */
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

/** What people and the assistant said; calls of tools stand between that. */
export function countSaid(recorded: readonly unknown[]): number {
  return recorded.filter((one) => !isRecord(one) || one['role'] !== 'tool').length;
}

/** What looks like a secret is shown to nobody who reads what others said. */
export function withoutSecretShapes(text: string): string {
  return String(hideSecrets(text));
}

/** What a tool answered is left out; what people and the assistant wrote is shown without what looks secret. */
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
