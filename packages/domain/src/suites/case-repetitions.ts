/**
 * Returns the repetitions of a case on each of its models: those of the run; else those of the
 * case, else of the suite's policy, else one, and then at least the suite's minimum.
 */
export interface RepetitionSettings {
  readonly verdictPolicyDefaults?: { readonly repetitions?: number | undefined } | undefined;
  readonly minimumIterations?: number | null | undefined;
}

export function caseRepetitions(
  stated: { readonly ofRun?: number | undefined; readonly ofCase?: number | undefined },
  { verdictPolicyDefaults, minimumIterations }: RepetitionSettings,
): number {
  if (stated.ofRun !== undefined) return stated.ofRun;
  const wanted = stated.ofCase ?? verdictPolicyDefaults?.repetitions ?? 1;
  return Math.max(wanted, minimumIterations ?? 1);
}
