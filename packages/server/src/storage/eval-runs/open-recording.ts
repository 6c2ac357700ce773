/** A stored recording as it was. Nothing where it was not kept, or cannot be read. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { maxRecordingBytes, type Recording, type RecordingDurations } from '@proofmark/domain';
import { readRecord } from '../database/read-document.ts';
import type { StoredRecording } from './recordings.ts';

const expand = promisify(gunzip);

export interface OpenedRecording {
  readonly recording: Recording;
  readonly durations: RecordingDurations | undefined;
}

export async function openRecording({
  content,
  durations,
}: Pick<StoredRecording, 'content' | 'durations'>): Promise<OpenedRecording | undefined> {
  if (content === null) return undefined;
  const text = await expand(content, { maxOutputLength: maxRecordingBytes }).catch(() => undefined);
  const read = readRecord(text?.toString() ?? null);
  if (read?.['schemaVersion'] !== 1) return undefined;
  return {
    // Written by us alone, whole or not at all.
    recording: read as unknown as Recording,
    durations: readRecord(durations) as RecordingDurations | undefined,
  };
}
