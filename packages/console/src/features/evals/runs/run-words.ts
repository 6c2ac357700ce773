import type { EvalRun, OutputOf } from '@proofmark/contract';
import { runStatusWords, scheduledRunNote, verdictWords } from '@proofmark/domain';
import { waiverOf } from '@proofmark/report';
import { isRunEnded } from './follow-run.ts';
import { type Tone, verdictTone } from './run-tone.ts';

type Run = Pick<OutputOf<'getEvalRun'>, 'status' | 'result' | 'verdictSummary' | 'gateWaiver'>;

export function runWords(run: Run): { word: string; tone: Tone } {
  const decided = isRunEnded(run.status) ? run.verdictSummary?.verdict : undefined;
  const verdict = decided ?? (run.status === 'completed' ? run.result : undefined);
  if (verdict === 'failed' && waiverOf(run) !== undefined)
    return { word: 'failed, waived', tone: 'hold' };
  if (verdict !== undefined && verdict !== null)
    return { word: verdict, tone: verdictTone(verdict) };
  const word = run.status === 'completed' ? 'not established' : runStatusWords[run.status];
  return { word, tone: 'none' };
}

type LatestRun = NonNullable<OutputOf<'listEvalSuites'>['items'][number]['latestRun']>;

export function latestRunWords({ status, verdict }: Pick<LatestRun, 'status' | 'verdict'>) {
  const isDecided = status === 'completed' || verdict !== 'notEstablished';
  const word = isDecided ? verdictWords[verdict] : runStatusWords[status];
  return { word, tone: verdictTone(verdict) };
}

const sourceWords = {
  ui: 'the console',
  api: 'the API',
  sdk: 'a report',
  conformance: 'the conformance suite',
} as const;

/** Whether the service played the cases itself, so that it can play them again. */
export function isPlayedHere({ source }: Pick<EvalRun, 'source'>): boolean {
  return source === 'ui' || source === 'api';
}

/**
 * Returns words for what launched a run. Scheduled runs and runs over the API have the same source;
 * the note distinguishes them.
 */
export function runSourceWords(run: {
  readonly source: keyof typeof sourceWords;
  readonly notes?: string | null;
  readonly isSample?: true | undefined;
}): string {
  if (run.isSample) return 'the sample';
  const isScheduled = run.source === 'api' && run.notes === scheduledRunNote;
  return isScheduled ? 'the schedule' : sourceWords[run.source];
}

/** A run reported in one step has no known duration. */
export function runLasted(run: {
  readonly createdAt: number;
  readonly completedAt: number | null;
  readonly source: string;
}): string | undefined {
  if (run.completedAt === null) return 'still going on';
  const milliseconds = run.completedAt - run.createdAt;
  return run.source === 'sdk' && milliseconds < 1000 ? undefined : lastedWords(milliseconds);
}

export function lastedWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * The models of a launched run are known only from its trials. Undefined until the trials are
 * loaded.
 */
export function modelsOfRun(
  { source }: Pick<EvalRun, 'source'>,
  models: readonly string[],
  trials: number,
): string | undefined {
  if (models.length > 0) return models.join(', ');
  if (source === 'sdk') return 'none recorded';
  return trials === 0 ? undefined : 'none: its cases ask no model';
}
