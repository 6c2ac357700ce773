import { type Json, readChain, type StoredChain } from '@proofmark/domain';
import { type ExportOptions, exportTrace, rootAttributes } from './export-trace.ts';
import type { OtlpSpan } from './otlp-document.ts';

export interface TrialToExport {
  readonly id: string;
  readonly runId: string;
  readonly caseId: string | null;
  readonly iterationNumber: number;
  readonly status: string;
  readonly result: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly startedAtMs: number | null;
  readonly durationMs: number | null;
  /** The time at which the end was recorded, in milliseconds since 1970. */
  readonly endedAtMs: number;
  readonly usage: Json | null;
  readonly chain: StoredChain | undefined;
  /** As stored; not validated. */
  readonly trace: Json;
}

export function exportTrial(trial: TrialToExport, options: ExportOptions): OtlpSpan[] {
  const { id, provider, model, usage, result, status, startedAtMs, durationMs, endedAtMs } = trial;
  const chain = readChain(trial.chain);
  const verified = chain.status === 'verified' ? chain : undefined;
  const isGood = status === 'completed' && result === 'passed';
  const errorType = isGood
    ? undefined
    : (verified?.failureCategory ?? (status === 'completed' ? (result ?? 'evaluator') : status));
  return exportTrace(
    {
      source: 'eval',
      rootName: 'eval.trial',
      id,
      startedAtMs,
      durationMs,
      endedAtMs,
      chain,
      trace: trial.trace,
      status: isGood ? 'ok' : 'error',
      attributes: {
        ...rootAttributes({ provider, model, usage, errorType }),
        'proofmark.run_id': trial.runId,
        'proofmark.case_id': trial.caseId,
        'proofmark.iteration_number': trial.iterationNumber,
        'proofmark.result': result,
        'proofmark.first_failed_stage': verified?.firstFailedStage,
        'proofmark.failure_category': verified?.failureCategory,
      },
    },
    options,
  );
}
