/**
 * Returns how many trials a case gets on each of its models: a fixed number, or as many as a trial
 * plan needs. The launch wins over the case, and the case over the suite. In a suite with a trial
 * plan, a case that states repetitions or a passing score is played a fixed number of times.
 */
import type { StatedTrialPlan } from '../statistics/stated-trial-plan.ts';
import { caseRepetitions, type RepetitionSettings } from './case-repetitions.ts';

export interface TrialSettings extends RepetitionSettings {
  readonly verdictPolicyDefaults?:
    | (RepetitionSettings['verdictPolicyDefaults'] & {
        readonly trials?: StatedTrialPlan | undefined;
      })
    | undefined;
}

interface TrialsOfCase {
  readonly trials?: StatedTrialPlan | undefined;
  readonly iterations?: number | undefined;
  readonly passThreshold?: number | undefined;
}

export type TrialsOrPlan =
  | { readonly repetitions: number }
  | { readonly stated: StatedTrialPlan; readonly statedBy: 'launch' | 'case' | 'suite' };

export function caseTrials(
  launch: {
    readonly iterationOverride?: number | undefined;
    readonly trials?: StatedTrialPlan | undefined;
  },
  ofCase: TrialsOfCase,
  settings: TrialSettings,
): TrialsOrPlan {
  if (launch.trials !== undefined) return { stated: launch.trials, statedBy: 'launch' };
  if (ofCase.trials !== undefined) return { stated: ofCase.trials, statedBy: 'case' };
  const ofSuite = settings.verdictPolicyDefaults?.trials;
  const isFixed = ofCase.iterations !== undefined || ofCase.passThreshold !== undefined;
  if (ofSuite !== undefined && !isFixed) return { stated: ofSuite, statedBy: 'suite' };
  // A suite's minimum applies only to fixed numbers of trials. A suite with a trial plan has no
  // minimum.
  if (ofSuite !== undefined) {
    return { repetitions: launch.iterationOverride ?? ofCase.iterations ?? 1 };
  }
  const stated = { ofRun: launch.iterationOverride, ofCase: ofCase.iterations };
  return { repetitions: caseRepetitions(stated, settings) };
}

/**
 * Returns a problem if a trial plan (`trials`) is stated together with fields that a plan replaces.
 */
export function besidePlan(
  stated: Readonly<Record<string, unknown>>,
  replaced: readonly string[],
): string | undefined {
  if (stated['trials'] === undefined || stated['trials'] === null) return undefined;
  const beside = replaced.filter((name) => stated[name] !== undefined && stated[name] !== null);
  return beside.length === 0
    ? undefined
    : `trials decides how many trials are played and how many must pass; leave out ${beside.join(' and ')}.`;
}
