import { type Json, readSessionChain, type StoredChain } from '@proofmark/domain';
import { type ExportOptions, exportTrace, rootAttributes } from './export-trace.ts';
import type { OtlpSpan } from './otlp-document.ts';

export interface SessionToExport {
  readonly id: string;
  readonly runId: string;
  readonly journeyId: string;
  readonly personaId: string;
  readonly targetId: string;
  readonly outcome: string;
  readonly errorCode: string | null;
  readonly result: 'passed' | 'failed' | null;
  readonly modelId: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly usage: Json | null;
  readonly chain: StoredChain | undefined;
  /** As stored; not validated. */
  readonly trace: Json;
}

/**
 * If there is no result, the session's span gets no status: even a session that was played to its
 * end may have gone badly.
 */
export function exportSession(session: SessionToExport, options: ExportOptions): OtlpSpan[] {
  const { id, outcome, result, usage, startedAtMs, endedAtMs } = session;
  const chain = readSessionChain(session.chain);
  const verified = chain.status === 'verified' ? chain : undefined;
  const hasFailed = outcome !== 'succeeded' || result === 'failed';
  const errorType = hasFailed
    ? (verified?.failureCategory ?? session.errorCode ?? result ?? outcome)
    : undefined;
  const provider = /^[^/]+(?=\/)/.exec(session.modelId)?.[0] ?? null;
  return exportTrace(
    {
      source: 'swarm',
      rootName: 'swarm.session',
      id,
      startedAtMs,
      endedAtMs,
      chain,
      durationMs: endedAtMs - startedAtMs,
      trace: session.trace,
      ...(hasFailed ? { status: 'error' } : result === 'passed' && { status: 'ok' }),
      attributes: {
        ...rootAttributes({ provider, model: session.modelId, usage, errorType }),
        'proofmark.run_id': session.runId,
        'proofmark.journey_id': session.journeyId,
        'proofmark.persona_id': session.personaId,
        'proofmark.target_id': session.targetId,
        'proofmark.result': result,
        'proofmark.first_failed_stage': verified?.firstFailedStage,
        'proofmark.failure_category': verified?.failureCategory,
      },
    },
    options,
  );
}
