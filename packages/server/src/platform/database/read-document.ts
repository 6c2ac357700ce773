import { isRecord } from '@proofmark/domain';

/**
 * A document as it was stored. One that is no JSON was written by nobody here, and is not there for its readers:
 * what it would have said is unavailable, and everything beside it is as it was.
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

/** Of the list, those that are objects. */
export function readRecords(text: string | null): Document[] {
  const document = readDocument(text);
  return Array.isArray(document) ? document.filter(isRecord) : [];
}
