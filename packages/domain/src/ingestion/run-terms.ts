/**
 * The terms by which a run is decided, fixed at its start. A run with a percent threshold and no
 * policy is a legacy run. Every other run is decided under verdict policy v2; a case must then pass
 * every trial unless the run states a threshold.
 *
 * A policy or threshold of the suite overrides the terms of a report. Otherwise the tested party
 * could set its own threshold.
 */

import type { PlannedConformance } from '../conformance/planned-scenario.ts';
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
  readonly skipped?: SkippedRule | undefined;
}

export type RunTerms = (
  | { readonly policy: ValidityPolicy; readonly passThreshold: number }
  | { readonly minimumPassRate: number }
) & {
  readonly skipped?: SkippedRule;
};

export interface RunSnapshot {
  readonly terms: RunTerms;
  /** The terms that the reporter stated, if the suite's terms replace them. */
  readonly reportedTerms?: RunTerms;
  readonly declared?: DeclaredTrials;
  readonly servers: readonly { readonly id?: string; readonly name?: string }[];
  readonly environment: {
    readonly id: string;
    readonly name: string | null;
    readonly revision: number | null;
  } | null;
  /** Null if the tools were not reported. */
  readonly toolSurface: unknown;
  readonly hostConfig?: unknown;
  readonly hostConfigHash?: string;
  /** Present if all trials of the run share one session with each server. */
  readonly sessions?: 'run';
  readonly rerunOf?: RerunOf;
  /** The cases of which the run plays only some data rows. */
  readonly samples?: readonly RowSample[];
  readonly maxCredits?: number;
  readonly planned?: number;
  /** The launch's seed. It applies to models for which no other setting has a seed. */
  readonly seed?: number;
  /**
   * Present if models got other tools than those that the servers list. This is a summary; the
   * run's plan contains the tools.
   */
  readonly overlay?: OverlaySummary;
  /** Present if the conformance suite plays the run. */
  readonly conformance?: Pick<PlannedConformance, 'suite' | 'spec' | 'note'>;
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
 * The suite's terms replace the terms that the reporter stated. A suite that exists only through
 * reports has no terms.
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
