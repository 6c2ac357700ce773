/**
 * Returns how often a case is played on each of its models. A number set for the run is used as it
 * is. Otherwise the number is that of the case, else that of the suite's policy (default: 1), but
 * at least the suite's minimum.
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
