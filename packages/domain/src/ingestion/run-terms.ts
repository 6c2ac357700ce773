/**
 * The terms by which a run is decided, fixed at its start. A run with a percent threshold and no
 * policy is a legacy run and stays one. Every other run is decided under verdict policy v2, with
 * defaults for missing settings; a case must then pass every trial unless the run states a
 * threshold.
 *
 * If a suite declares a policy or a percent threshold, its reported runs are decided only by that.
 * Otherwise the tested party could set its own threshold. Its trial plans do not decide how many
 * trials somebody else plays, but their passing scores hold.
 */

import { passingScoreOf } from '../statistics/trial-plan.ts';
import type { RowSample } from '../suites/case-data.ts';
import type { RerunOf } from '../suites/rerun-of.ts';
import type { SuiteSettings } from '../suites/suite-definition.ts';
import type { OverlaySummary } from '../surfaces/surface-overlay.ts';
import type { ValidityPolicy } from '../verdict/decision.ts';
import {
  defaultPassThreshold,
  resolvePolicy,
  type StatedValidity,
} from '../verdict/resolve-policy.ts';
import type { DeclaredTrials } from './declared-trials.ts';
import type { SkippedRule } from './skipped-trials.ts';

export interface StatedTerms {
  readonly passCriteria?: { readonly minimumPassRate?: number | undefined } | undefined;
  readonly verdictPolicy?:
    | (StatedValidity & { readonly passThreshold?: number | undefined })
    | undefined;
  /** How skipped tests count. */
  readonly skipped?: SkippedRule | undefined;
}

export type RunTerms = (
  | { readonly policy: ValidityPolicy; readonly passThreshold: number }
  | { readonly minimumPassRate: number }
) & {
  /** How skipped tests of a reported run count, if its reporter says so. */
  readonly skipped?: SkippedRule;
};

/** The settings of a run that cannot change while it runs. */
export interface RunSnapshot {
  readonly terms: RunTerms;
  /** The reporter's own terms, if the suite's terms replace them. */
  readonly reportedTerms?: RunTerms;
  /** The trials that an authored suite declares, for a reported run of it. */
  readonly declared?: DeclaredTrials;
  readonly servers: readonly { readonly id?: string; readonly name?: string }[];
  readonly environment: {
    readonly id: string;
    readonly name: string | null;
    readonly revision: number | null;
  } | null;
  /** The run's tools; null if they were not reported. */
  readonly toolSurface: unknown;
  readonly hostConfig?: unknown;
  readonly hostConfigHash?: string;
  /** Present if all trials of the run share one session with each server. */
  readonly sessions?: 'run';
  /** Present if the run repeats trials of an earlier run. */
  readonly rerunOf?: RerunOf;
  /** The cases of which the run plays only some rows. */
  readonly samples?: readonly RowSample[];
  /** The maximum number of credits, if the launch sets one. */
  readonly maxCredits?: number;
  /** The number of case variants with a trial plan; absent if there is none. */
  readonly planned?: number;
  /** The launch's seed, for models for which nothing else sets a seed. */
  readonly seed?: number;
  /**
   * Present if models got other tools than the servers list; a summary, since the plan contains the
   * tools themselves.
   */
  readonly overlay?: OverlaySummary;
}

export function resolveTerms({ passCriteria, verdictPolicy, skipped }: StatedTerms): RunTerms {
  const minimumPassRate = passCriteria?.minimumPassRate;
  const stated = skipped === undefined ? {} : { skipped };
  if (minimumPassRate !== undefined && verdictPolicy === undefined) {
    return { minimumPassRate, ...stated };
  }
  return {
    ...stated,
    policy: resolvePolicy(verdictPolicy),
    passThreshold: verdictPolicy?.passThreshold ?? defaultPassThreshold,
  };
}

/**
 * Returns the terms of a reported run, given what its suite declares. A suite that exists only
 * through reports declares nothing.
 */
export function resolveReportedTerms(
  stated: StatedTerms,
  suite: Pick<SuiteSettings, 'verdictPolicyDefaults' | 'minimumAccuracy'> = {},
): RunTerms {
  const { verdictPolicyDefaults: policy, minimumAccuracy: minimumPassRate } = suite;
  if (policy !== undefined) {
    const { validity, trials } = policy;
    const passThreshold = policy.passThreshold ?? passingScoreOf(trials);
    return resolveTerms({ verdictPolicy: { ...validity, passThreshold } });
  }
  return resolveTerms(
    minimumPassRate === undefined ? stated : { passCriteria: { minimumPassRate } },
  );
}
