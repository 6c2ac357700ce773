/** Undefined if there is no recording, or if its content cannot be read. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  markName,
  maxRecordingBytes,
  type Recording,
  type RecordingDurations,
} from '@proofmark/domain';
import { readRecord } from '../../../platform/database/read-document.ts';

const expand = promisify(gunzip);

export interface OpenedContent {
  readonly recording: Recording;
  /** Whether the content may contain redaction marks, by a quick search in the text. */
  readonly mayHaveMarks: boolean;
}

export async function openRecordingContent(
  content: Buffer | null,
): Promise<OpenedContent | undefined> {
  if (content === null) return undefined;
  const bytes = await expand(content, { maxOutputLength: maxRecordingBytes }).catch(() => null);
  const text = bytes === null ? '' : bytes.toString();
  const read = readRecord(text);
  if (read?.['schemaVersion'] !== 1) return undefined;
  // Only the service writes recordings, and never partially, so their structure is not validated.
  return { recording: read as unknown as Recording, mayHaveMarks: text.includes(markName) };
}

export function readDurations(text: string | null): RecordingDurations | undefined {
  return readRecord(text) as RecordingDurations | undefined;
}
