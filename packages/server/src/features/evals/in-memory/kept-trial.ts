import {
  type Divergence,
  Score,
  type StoredChain,
  shortenFailure,
  type TrialWarning,
} from '@proofmark/domain';
import type { CaseOfTrials, PendingTrial } from '../store/launched-runs.ts';
import type { TrialToWrite } from '../store/record-trials.ts';
import type { StoredTrial } from '../store/stored-trials.ts';

export type TrialState =
  | { readonly status: 'pending' }
  | { readonly status: 'running'; readonly startedAtMs: number }
  | { readonly status: 'ended'; readonly written: TrialToWrite }
  | {
      readonly status: 'closed';
      readonly startedAtMs: number | undefined;
      readonly as: 'cancelled' | 'timed_out';
      readonly error: string;
      readonly chain: object | undefined;
    };

export function isOpen({ status }: TrialState): boolean {
  return status === 'pending' || status === 'running';
}

/** `one` holds the data that all trials of a case share, already converted through JSON. */
export function keptTrial(
  pending: PendingTrial,
  one: CaseOfTrials,
  state: TrialState,
  /**
   * The warnings of the clean-up calls. They are included even if the trial was closed before those
   * calls ended.
   */
  after: readonly TrialWarning[] = [],
): StoredTrial {
  const kept = withoutAfter(pending, one, state);
  const added = asJson(after) as unknown as StoredTrial['warnings'];
  return after.length === 0 ? kept : { ...kept, warnings: [...kept.warnings, ...added] };
}

function withoutAfter(pending: PendingTrial, one: CaseOfTrials, state: TrialState): StoredTrial {
  const { ordinal, id, trialNumber, model, provider } = pending;
  const row = {
    ordinal,
    id,
    caseId: one.caseId,
    declaredCaseId: one.declaredId ?? null,
    title: one.title,
    iterationNumber: trialNumber,
    model: model ?? null,
    provider: provider ?? null,
    expectedToolCalls: one.expectedToolCalls as StoredTrial['expectedToolCalls'],
    evaluationConfig: one.evaluationConfig as StoredTrial['evaluationConfig'],
    ...nothingKnown,
  };
  switch (state.status) {
    case 'pending':
      return { ...row, status: state.status };
    case 'running':
      return { ...row, status: state.status, startedAt: new Date(state.startedAtMs) };
    case 'closed':
      return {
        ...row,
        status: state.as,
        error: state.error,
        startedAt: state.startedAtMs === undefined ? null : new Date(state.startedAtMs),
        chain: asJson(state.chain) as StoredChain | undefined,
      };
    case 'ended':
      return { ...row, ...asEnded(state.written) };
  }
}

const nothingKnown = {
  result: null,
  startedAt: null,
  durationMs: null,
  tokensUsed: null,
  usage: null,
  actualToolCalls: [],
  error: null,
  warnings: [],
  refusedCalls: [],
  hasTrace: null,
  chain: undefined,
  scores: null,
  scoreIntegrity: null,
  recordingState: null,
  recordingBytes: null,
  recordingHash: null,
  replayState: null,
  divergence: null,
} as const;

function asEnded(written: TrialToWrite) {
  const { startedAtMs, recording, error, divergence } = written;
  const scores = written.scores === null ? undefined : asJson(written.scores);
  const read = Score.array().safeParse(scores);
  return {
    status: written.status,
    result: written.result,
    startedAt: startedAtMs === null ? null : new Date(startedAtMs),
    durationMs: written.durationMs,
    tokensUsed: written.tokensUsed,
    usage: asJson(written.usage) as StoredTrial['usage'],
    actualToolCalls: asJson(written.actualToolCalls) as StoredTrial['actualToolCalls'],
    // An empty error counts as no error.
    error: error ? shortenFailure(error) : null,
    warnings: asJson(written.warnings ?? []) as unknown as StoredTrial['warnings'],
    refusedCalls: asJson(written.refusedCalls ?? []) as unknown as StoredTrial['refusedCalls'],
    chain: asJson(written.chain) as StoredChain,
    ...(scores === undefined
      ? { scores: null, scoreIntegrity: null }
      : ({
          scores: read.data ?? null,
          scoreIntegrity: read.success ? 'valid' : 'invalid',
        } as const)),
    recordingState: recording?.state ?? null,
    recordingBytes: recording?.bytes ?? null,
    recordingHash: recording?.hash ?? null,
    replayState: written.replayState ?? null,
    divergence: (asJson(divergence) ?? null) as Divergence | null,
  };
}

/** Copies through JSON: undefined fields are dropped, and no object is shared with the trial. */
export function asJson<Value>(value: Value): Value {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}
