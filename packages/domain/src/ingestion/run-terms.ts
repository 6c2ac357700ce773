/**
 * What a run will be decided by, fixed when it starts. A run that states a percent threshold and no policy is a legacy
 * run and stays one. Every other run is decided under verdict policy v2, with the defaults for what it does not state;
 * a case must then pass every trial unless the run states a threshold. A suite that declares a policy, or only a
 * percent, decides its reported runs by that alone, whatever the reporter states: otherwise the one who is measured
 * would set the measure.
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
  /** What a skipped test counts as. */
  readonly skipped?: SkippedRule | undefined;
}

export type RunTerms = (
  | { readonly policy: ValidityPolicy; readonly passThreshold: number }
  | { readonly minimumPassRate: number }
) & {
  /** Of a reported run, where its reporter states it. */
  readonly skipped?: SkippedRule;
};

/** Everything about a run that must not change under it. */
export interface RunSnapshot {
  readonly terms: RunTerms;
  /** Of a reported run: what its reporter stated, where the suite has another word. */
  readonly reportedTerms?: RunTerms;
  /** Of a reported run of an authored suite. */
  readonly declared?: DeclaredTrials;
  readonly servers: readonly { readonly id?: string; readonly name?: string }[];
  readonly environment: {
    readonly id: string;
    readonly name: string | null;
    readonly revision: number | null;
  } | null;
  /** The tools the run saw; null when the run did not say. */
  readonly toolSurface: unknown;
  readonly hostConfig?: unknown;
  readonly hostConfigHash?: string;
  /** Present where all its trials share one session with each server. */
  readonly sessions?: 'run';
  /** Present where it runs again what came of an earlier run. */
  readonly rerunOf?: RerunOf;
  /** Cases of which it plays only some rows. */
  readonly samples?: readonly RowSample[];
  /** The most that it may spend, where its launch says so. */
  readonly maxCredits?: number;
  /** What models were seeded with where nothing else said it, where its launch says so. */
  readonly seed?: number;
  /** Present where models were shown other tools than servers list; the plan has all of it. */
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

/** The terms of a reported run, with what its suite declares; a suite that only reporters know declares nothing. */
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
