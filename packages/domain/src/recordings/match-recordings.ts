/**
 * Finds the recording for a trial. With a recorded model, case, variant and repetition must match.
 * With a live model, which may differ from the recorded one, the variant need not match. If no
 * recording has the repetition either, the only recording of the case is used.
 */
export interface TrialToMatch {
  readonly caseId: string;
  readonly model: string | null;
  readonly provider: string | null;
  /** The number of the trial within the variant: 1, 2, 3 … */
  readonly repetition: number;
}

export type ReplayedSide = 'recorded' | 'live';

export function matchRecording<Recorded extends TrialToMatch>(
  trial: TrialToMatch,
  recorded: readonly Recorded[],
  model: ReplayedSide,
): Recorded | undefined {
  const ofCase = recorded.filter(({ caseId }) => caseId === trial.caseId);
  const exact = ofCase.find((one) => isVariant(one, trial) && one.repetition === trial.repetition);
  if (exact !== undefined || model === 'recorded') return exact;
  const sameTime = ofCase.find(({ repetition }) => repetition === trial.repetition);
  return sameTime ?? (ofCase.length === 1 ? ofCase[0] : undefined);
}

/**
 * Returns the highest recorded repetition of a variant, which is the number of its trials in a
 * replay; 0 if it was never recorded.
 */
export function recordedRepetitions(
  variant: Variant,
  recorded: readonly TrialToMatch[],
  model: ReplayedSide,
): number {
  const counted = recordingsOf(variant, recorded, model);
  return Math.max(0, ...counted.map(({ repetition }) => repetition));
}

/**
 * Returns the recordings of the variant. A live model may use all recordings of the case if the
 * variant has none.
 */
export function recordingsOf<Recorded extends TrialToMatch>(
  variant: Variant,
  recorded: readonly Recorded[],
  model: ReplayedSide,
): readonly Recorded[] {
  const ofCase = recorded.filter(({ caseId }) => caseId === variant.caseId);
  const own = ofCase.filter((one) => isVariant(one, variant));
  return own.length > 0 || model === 'recorded' ? own : ofCase;
}

type Variant = Omit<TrialToMatch, 'repetition'>;

function isVariant(one: Variant, other: Variant): boolean {
  return one.model === other.model && one.provider === other.provider;
}
