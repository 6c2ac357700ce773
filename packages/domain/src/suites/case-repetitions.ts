/**
 * How often a run does a case for each of its models: as often as the run says; else as often as the case says, else as
 * the policy of the suite says, else once, and then not less often than the suite's floor.
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
