/**
 * Which recording a trial is replayed from. With the recorded model: that of the same case, variant and repetition. With
 * a live one the model may be another: that of the same case and repetition, else that of the case where it has one alone.
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

/** How often a variant was recorded, by which it is replayed; 0 where it never was. */
export function recordedRepetitions(
  variant: Variant,
  recorded: readonly TrialToMatch[],
  model: ReplayedSide,
): number {
  const counted = recordingsOf(variant, recorded, model);
  return Math.max(0, ...counted.map(({ repetition }) => repetition));
}

/** Those of the variant; with a live model, where it has none, all of its case. */
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
