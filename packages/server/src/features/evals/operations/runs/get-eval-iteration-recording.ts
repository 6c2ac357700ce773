import type { OutputOf } from '@proofmark/contract';
import { isRecord, notFound, type RecordingState } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { openRecordingContent, readDurations } from '../../store/open-recording.ts';
import { findRecording } from '../../store/recordings.ts';

/** Durations are stored separately from the recording. The response adds them to each exchange. */
export const getEvalIterationRecording: Action<'getEvalIterationRecording'> = async (
  context,
  { params },
) => {
  const stored =
    (await context.tenant((sql) =>
      findRecording(sql, context.project.id, params.runId, params.iterationId),
    )) ?? refuse(notFound);
  return presentRecording(stored);
};

export async function presentRecording(stored: {
  readonly state: RecordingState | null;
  readonly content: Buffer | null;
  readonly durations: string | null;
}): Promise<OutputOf<'getEvalIterationRecording'>> {
  const opened = await openRecordingContent(stored.content);
  if (opened === undefined) {
    const message = whyNone[stored.state ?? 'none'];
    return refuse({ code: 'NOT_FOUND', message, details: { reason: 'NOT_RECORDED' } });
  }
  const { recording } = opened;
  const durations = readDurations(stored.durations);
  return {
    schemaVersion: 1,
    servers: recording.servers.map((server, place) => ({
      ...server,
      ...durations?.servers[place],
    })),
    exchanges: recording.exchanges.map((exchange, place) => ({
      ...(isRecord(exchange) ? exchange : {}),
      ...durations?.exchanges[place],
    })),
    ...(durations?.masked && { masked: [...durations.masked] }),
  };
}

const whyNone: Readonly<Record<RecordingState | 'none', string>> = {
  kept: 'The recording of this trial cannot be read.',
  tooLarge: 'The recording of this trial was too large to be stored.',
  off: 'By the recording settings of the suite, this trial was not recorded.',
  expired: 'The recording of this trial was removed by retention.',
  none: 'This trial has no recording: it was run elsewhere, was run before Proofmark recorded trials, or has not ended.',
};
