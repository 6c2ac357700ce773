/**
 * Finds the recording for a trial. With the recorded model: that of the same case, variant and
 * repetition. With a live model, which may be another one: that of the same case and repetition,
 * else the only one of the case.
 */
export interface TrialToMatch {
  readonly caseId: string;
  readonly model: string | null;
  readonly provider: string | null;
  /** 1, 2, 3 … within the variant. */
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
 * Returns the number of recordings of a variant, which is its number of replays; 0 if it was never
 * recorded.
 */
export function recordedRepetitions(
  variant: Variant,
  recorded: readonly TrialToMatch[],
  model: ReplayedSide,
): number {
  const counted = recordingsOf(variant, recorded, model);
  return Math.max(0, ...counted.map(({ repetition }) => repetition));
}

/** Returns the recordings of the variant; with a live model and without any, all of its case. */
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
