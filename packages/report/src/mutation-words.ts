/** What a mutation of a suite came to, in the same words wherever it is told. */
import {
  count,
  grouped,
  type MutationScore,
  type MutationTerms,
  percent,
  recordedModel,
} from '@proofmark/domain';

/** How much was noticed of what was decided. */
export function mutationScoreSentence({ killed, decided, value, interval }: MutationScore): string {
  if (value === null || interval === null) return 'No change was met, so nothing was decided.';
  const range = `${percent(interval.lower)} to ${percent(interval.upper)}`;
  return `The suite noticed ${grouped(killed)} of ${count(decided, 'change')}: ${percent(value)} (95 % interval ${range}).`;
}

interface MutationToTell {
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly score: MutationScore;
  readonly error: string | null;
  readonly progress: { readonly done: number; readonly total: number | null };
}

/** Where it stands, and what it came to. */
export function mutationSentence({ status, score, error, progress }: MutationToTell): string {
  const { done, total } = progress;
  switch (status) {
    case 'pending':
      return 'It waits for a worker.';
    case 'running':
      return total === null
        ? 'The cases are played without any change first.'
        : `${grouped(done)} of ${count(total, 'change')} tried.`;
    case 'failed':
      return `It failed: ${error ?? 'no reason was recorded.'} ${grouped(done)} changes were tried.`;
    case 'cancelled':
      return `It was cancelled after ${count(done, 'change')}. ${mutationScoreSentence(score)}`;
    case 'completed':
      return mutationScoreSentence(score);
  }
}

/** What the way it was played means for its score; nothing where all was asked for real. */
export function mutationNotes({
  model,
  servers,
  runId,
}: MutationTerms & { readonly runId: string | null }): string[] {
  const run = runId ?? 'a run';
  return [
    ...(servers === 'recorded'
      ? [
          `Servers are answered from the recordings of ${run}; where something is called that is not in them, a change is not decided.`,
        ]
      : []),
    ...(model === recordedModel
      ? [
          `The model is answered from the recordings of ${run}, answer by answer, whatever it is asked: only answers of tools are changed, and only assertions about results can notice.`,
        ]
      : []),
  ];
}

/** What one will take at most, told before it is begun. */
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
