/**
 * The terms by which a run is decided, fixed at its start. A run with a percent threshold and no
 * policy is a legacy run and stays one. Every other run is decided under verdict policy v2, with
 * defaults for missing settings; a case must then pass every trial unless the run states a
 * threshold. If a suite declares a policy, or only a percent, its reported runs are decided by that
 * alone: otherwise the tested party would set its own threshold.
 */
import type { RowSample } from '../suites/case-data.ts';
import type { RerunOf } from '../suites/rerun-of.ts';
import type { SuiteSettings } from '../suites/suite-definition.ts';
import type { OverlaySummary } from '../surfaces/surface-overlay.ts';
import type { ValidityPolicy } from '../verdict/decision.ts';
import { resolvePolicy, type StatedValidity } from '../verdict/resolve-policy.ts';
import type { DeclaredTrials } from './declared-trials.ts';
import type { SkippedRule } from './skipped-trials.ts';

export const defaultPassThreshold = 1;

export interface StatedTerms {
  readonly passCriteria?: { readonly minimumPassRate?: number | undefined } | undefined;
  readonly verdictPolicy?:
    | (StatedValidity & { readonly passThreshold?: number | undefined })
    | undefined;
  /** The rule for skipped tests. */
  readonly skipped?: SkippedRule | undefined;
}

export type RunTerms = (
  | { readonly policy: ValidityPolicy; readonly passThreshold: number }
  | { readonly minimumPassRate: number }
) & {
  /** The rule for skipped tests of a reported run, if its reporter states one. */
  readonly skipped?: SkippedRule;
};

/** The settings of a run that must not change while it runs. */
export interface RunSnapshot {
  readonly terms: RunTerms;
  /** The terms that the reporter stated, if those of the suite replace them. */
  readonly reportedTerms?: RunTerms;
  /** The declared trials, for a reported run of an authored suite. */
  readonly declared?: DeclaredTrials;
  readonly servers: readonly { readonly id?: string; readonly name?: string }[];
  readonly environment: {
    readonly id: string;
    readonly name: string | null;
    readonly revision: number | null;
  } | null;
  /** The tools of the run; null if the run did not report them. */
  readonly toolSurface: unknown;
  readonly hostConfig?: unknown;
  readonly hostConfigHash?: string;
  /** Present if all its trials share one session with each server. */
  readonly sessions?: 'run';
  /** Present if the run repeats trials of an earlier run. */
  readonly rerunOf?: RerunOf;
  /** Cases of which the run plays only some rows. */
  readonly samples?: readonly RowSample[];
  /** The limit of credits that the launch sets. */
  readonly maxCredits?: number;
  /** The seed of the launch, for models without another seed. */
  readonly seed?: number;
  /** Present if models got other tools than the servers list; the plan has all of them. */
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
 * Returns the terms of a reported run with the declarations of its suite. A suite that exists only
 * in reports declares nothing.
 */
export function resolveReportedTerms(
  stated: StatedTerms,
  suite: Pick<SuiteSettings, 'verdictPolicyDefaults' | 'minimumAccuracy'> = {},
): RunTerms {
  const { verdictPolicyDefaults: policy, minimumAccuracy: minimumPassRate } = suite;
  if (policy !== undefined) {
    const { validity, passThreshold } = policy;
    return resolveTerms({ verdictPolicy: { ...validity, passThreshold } });
  }
  return resolveTerms(
    minimumPassRate === undefined ? stated : { passCriteria: { minimumPassRate } },
  );
}
