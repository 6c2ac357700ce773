/** A stored recording as it was. Nothing where it was not kept, or cannot be read. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  markName,
  maxRecordingBytes,
  type Recording,
  type RecordingDurations,
} from '@proofmark/domain';
import { readRecord } from '../database/read-document.ts';
import type { StoredRecording } from './recordings.ts';

const expand = promisify(gunzip);

export interface OpenedRecording {
  readonly recording: Recording;
  readonly durations: RecordingDurations | undefined;
  /** Whether a mark may stand in it, as far as can be told without looking through it. */
  readonly mayHaveMarks: boolean;
}

export async function openRecording({
  content,
  durations,
}: Pick<StoredRecording, 'content' | 'durations'>): Promise<OpenedRecording | undefined> {
  if (content === null) return undefined;
  const bytes = await expand(content, { maxOutputLength: maxRecordingBytes }).catch(() => null);
  const text = bytes === null ? null : bytes.toString();
  const read = readRecord(text);
  if (read?.['schemaVersion'] !== 1) return undefined;
  return {
    // Written by us alone, whole or not at all.
    recording: read as unknown as Recording,
    durations: readRecord(durations) as RecordingDurations | undefined,
    mayHaveMarks: text?.includes(markName) === true,
  };
}
