/**
 * Writes the recording of an ended trial: without secrets, as canonical JSON, with its hash. If the
 * recording exceeds the size limit, only its size is stored.
 */
import {
  type ExchangeDuration,
  maxRecordingBytes,
  type RecordingDurations,
} from '@proofmark/domain';
import { sha256Hex } from '../../kernel/sha256-hex.ts';
import { McpFailure } from '../../outside/mcp/mcp-failure.ts';
import type { ToolOutcome } from '../../outside/mcp/mcp-gateway.ts';
import type { ExchangeDraft } from './exchange-records.ts';
import { RecordingSpelling } from './recording-spelling.ts';
import type { TrialRecorder } from './trial-recorder.ts';

export type FinishedRecording =
  | {
      readonly state: 'kept';
      readonly bytes: number;
      readonly hash: string;
      readonly content: string;
      readonly durations: RecordingDurations;
    }
  | { readonly state: 'tooLarge'; readonly bytes: number; readonly hash: null };

export function finishRecording(
  recorder: TrialRecorder,
  secrets: readonly string[],
  trialMs: number,
): FinishedRecording {
  const drafts = recorder.drafts.filter((draft) => !('isDropped' in draft && draft.isDropped));
  const spelling = new RecordingSpelling(secrets, drafts);
  const servers = spelling.servers(recorder);
  let bytes = wrapping.length + servers.length;
  const exchanges: string[] = [];
  for (const draft of drafts) {
    const text = spelling.exchange(draft);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes <= maxRecordingBytes) exchanges.push(text);
  }
  const content = `{"exchanges":[${exchanges.join()}],"schemaVersion":1,"servers":${servers}}`;
  if (bytes > maxRecordingBytes) return { state: 'tooLarge', bytes, hash: null };
  return {
    state: 'kept',
    bytes: Buffer.byteLength(content),
    hash: sha256Hex(content),
    content,
    durations: {
      trialMs,
      servers: (recorder.opened?.servers ?? []).map(({ connectMs, listMs }) => ({
        connectMs: Math.round(connectMs),
        listMs: Math.round(listMs),
      })),
      exchanges: drafts.map(durationOfExchange),
      ...(spelling.masked.length > 0 && { masked: spelling.masked }),
    },
  };
}

const wrapping = '{"exchanges":[],"schemaVersion":1,"servers":}';

/** For a call, the duration is the server's time, without the wait for a slot of Proofmark. */
function durationOfExchange(draft: ExchangeDraft): ExchangeDuration | null {
  const { answer, durationMs } = draft;
  const outcome = draft.kind === 'call' ? (answer as ToolOutcome | undefined) : undefined;
  const failed = draft.error instanceof McpFailure ? draft.error : undefined;
  const tookMs = outcome?.durationMs ?? failed?.durationMs ?? durationMs;
  const stillMs = outcome?.stillMs ?? failed?.stillMs;
  if (tookMs === undefined) return null;
  return { durationMs: Math.round(tookMs), ...(stillMs !== undefined && { stillMs }) };
}
