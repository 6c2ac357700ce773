/**
 * A recording as the lines of a file: first the trial, then the servers, then one line per
 * exchange. Keys are sorted and durations left out, so that equal conversations give equal bytes
 * and a small change gives a small diff.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import type { RecordedServer, Recording, RecordingExchange } from './recording.ts';

export interface RecordingHead {
  readonly suite: string;
  readonly case: string;
  /**
   * The trial that the file belongs to, as in the file name. Older files lack `variant` and
   * `repetition`; their name alone shows nothing, since files can be copied.
   */
  readonly variant?: string;
  readonly repetition?: number;
  /**
   * The number of recorded trials of the case variant, which reveals missing files. Absent in older
   * files.
   */
  readonly trials?: number;
}

const format = 'proofmark-recording';
const version = 2;
/**
 * Version 1 is read but no longer written. Its hash does not cover the first line of the file, so
 * that line could be edited unnoticed.
 */
const versionOfOlder = 1;

export function recordingLines(
  head: RecordingHead,
  recording: Recording,
  sha256Hex: (text: string) => string,
): string {
  const { servers, exchanges } = recording;
  const hash = sha256Hex(canonicalJson({ head, recording }));
  const lines = [
    { format, version, hash, ...head },
    ...servers.map((server) => ({ kind: 'server', ...server })),
    ...exchanges,
  ];
  return `${lines.map((line) => canonicalJson(line)).join('\n')}\n`;
}

interface ReadLines {
  readonly head: RecordingHead;
  readonly recording: Recording;
  /** SHA-256 of the canonical JSON of the recording without the file's first line. */
  readonly hash: string;
}

/** Returns undefined if the text is not a recording file or does not match its hash. */
export function readRecordingLines(
  text: string,
  sha256Hex: (text: string) => string,
): ReadLines | undefined {
  const [first, ...lines] = text.split('\n').filter((line) => line !== '');
  const { format: stated, version: written, hash, ...head } = readLine(first ?? '') ?? {};
  if (stated !== format || (written !== version && written !== versionOfOlder)) return undefined;
  const read = lines.map(readLine);
  if (read.includes(undefined)) return undefined;
  const all = read as readonly Json[];
  const recording = {
    schemaVersion: 1,
    servers: all.filter(isServer).map(({ kind: _, ...server }) => server),
    exchanges: all.filter((line) => !isServer(line)),
  } as const;
  const { suite, case: caseId, trials, variant, repetition } = head;
  if (typeof suite !== 'string' || typeof caseId !== 'string') return undefined;
  const hashed = written === versionOfOlder ? recording : { head, recording };
  if (sha256Hex(canonicalJson(hashed)) !== hash) return undefined;
  return {
    hash: sha256Hex(canonicalJson(recording)),
    head: {
      suite,
      case: caseId,
      ...(typeof variant === 'string' && { variant }),
      ...(typeof repetition === 'number' && { repetition }),
      ...(typeof trials === 'number' && { trials }),
    },
    // The types need no check, since the matching hash proves that the content is unchanged.
    recording: {
      schemaVersion: 1,
      servers: recording.servers as unknown as readonly RecordedServer[],
      exchanges: recording.exchanges as unknown as readonly RecordingExchange[],
    },
  };
}

function isServer({ kind }: Json): boolean {
  return kind === 'server';
}

function readLine(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
