import {
  count,
  grouped,
  type MutationScore,
  type MutationTerms,
  percent,
  recordedModel,
} from '@proofmark/domain';

export function mutationScoreSentence({ killed, decided, value, interval }: MutationScore): string {
  if (value === null || interval === null) return 'No change was decided, so there is no score.';
  const range = `${percent(interval.lower)} to ${percent(interval.upper)}`;
  return `The suite noticed ${grouped(killed)} of ${count(decided, 'change')}: ${percent(value)} (95 % interval ${range}).`;
}

interface MutationToTell {
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly score: MutationScore;
  readonly error: string | null;
  readonly progress: { readonly done: number; readonly total: number | null };
}

export function mutationSentence({ status, score, error, progress }: MutationToTell): string {
  const { done, total } = progress;
  switch (status) {
    case 'pending':
      return 'It waits for a worker.';
    case 'running':
      return total === null
        ? 'The cases are first played without any change.'
        : `${grouped(done)} of ${count(total, 'change')} tried.`;
    case 'failed':
      return `It failed: ${error ?? 'no reason was recorded.'} ${grouped(done)} changes were tried.`;
    case 'cancelled':
      return `It was cancelled after ${count(done, 'change')}. ${mutationScoreSentence(score)}`;
    case 'completed':
      return mutationScoreSentence(score);
  }
}

/**
 * Sentences about what a mutation score cannot prove because the model or the servers answered from
 * recordings. Empty if both were live.
 */
export function mutationNotes({
  model,
  servers,
  runId,
}: MutationTerms & { readonly runId: string | null }): string[] {
  const run = runId ?? 'a run';
  return [
    ...(servers === 'recorded'
      ? [
          `The answers of servers come from the recordings of ${run}; a change is not decided if a call is not in them.`,
        ]
      : []),
    ...(model === recordedModel
      ? [
          `The answers of the model come from the recordings of ${run}, one after the other, whatever it is asked: only answers of tools are changed, and only checks of results can notice a change.`,
        ]
      : []),
  ];
}

export function mutationEstimateSentence(estimate: {
  readonly mutants: number;
  readonly trials: number;
  readonly worstCaseCredits: number | null;
}): string {
  const { mutants, trials, worstCaseCredits } = estimate;
  const most = `At most ${count(mutants, 'change')} in ${count(trials, 'trial')}`;
  if (worstCaseCredits === 0) return `${most}; its model costs nothing.`;
  if (worstCaseCredits === null) return `${most}; what they cost is not known.`;
  return `${most}, about ${Number(worstCaseCredits.toFixed(2))} credits.`;
}
