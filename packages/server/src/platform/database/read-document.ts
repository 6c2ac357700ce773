import { isRecord } from '@proofmark/domain';

/**
 * Returns a stored document; undefined if the stored text is not JSON. Our code never writes such a
 * text, so callers treat the document as missing and still use the rest of the row.
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

export function readRecords(text: string | null): Document[] {
  const document = readDocument(text);
  return Array.isArray(document) ? document.filter(isRecord) : [];
}
