/**
 * A recording as lines of a file: first what it is of, then its servers, then one exchange a line. Keys are sorted and no
 * durations are said, so that equal conversations give equal bytes and a small change is a small difference.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import type { RecordedServer, Recording, RecordingExchange } from './recording.ts';

export interface RecordingHead {
  readonly suite: string;
  readonly case: string;
  /** Which trial of the case it is, as its file name says. Older files do not say, and neither does their name alone. */
  readonly variant?: string;
  readonly repetition?: number;
  /** How many trials of the case variant were recorded, so that a file that is gone is missed. Older files do not say. */
  readonly trials?: number;
}

const format = 'proofmark-recording';
const version = 2;
/** Its hash is of the recording alone, so that its first line could be edited unnoticed. Read, and not written any more. */
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
  /** SHA-256 of the canonical JSON of the recording, whatever its first line says. */
  readonly hash: string;
}

/** Nothing where the text is no such file, or does not say what its hash is of. */
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
    // Its hash says that it is as it was written.
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
