import { isRecord } from '@proofmark/domain';

/**
 * Returns a document as stored; undefined if it is not JSON. No code here writes such a document,
 * so its readers treat it as missing and keep everything beside it.
 */
export function readDocument(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type Document = Readonly<Record<string, unknown>>;

export function readRecord(text: string | null): Document | undefined {
  const document = readDocument(text);
  return isRecord(document) ? document : undefined;
}

/** Returns the objects of a stored list, without its other entries. */
export function readRecords(text: string | null): Document[] {
  const document = readDocument(text);
  return Array.isArray(document) ? document.filter(isRecord) : [];
}
