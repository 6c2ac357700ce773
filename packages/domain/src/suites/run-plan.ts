/**
 * The plan of a run, fixed at its launch: cases with their final options and models, the servers,
 * and the client that the run plays. Later edits do not change a run that was accepted.
 */

import type { MatchOptionsLayer } from '../assertions/match-options.ts';
import type { ClientConfig } from '../clients/client-config.ts';
import type { PlannedConformance } from '../conformance/planned-scenario.ts';
import type { ResolvedSkill } from '../environments/resolve-environment.ts';
import type { ReplayTermsOfRun } from '../recordings/run-replay.ts';
import { mostBegun } from '../statistics/follow-plan.ts';
import type { StatedTrialPlan } from '../statistics/stated-trial-plan.ts';
import type { SurfaceOverlay } from '../surfaces/surface-overlay.ts';
import type { LeftOut } from '../trials/left-out.ts';
import type { CaseWarning } from './case-warnings.ts';
import type { PlannedCase, PlannedPrice, PlannedVariant } from './planned-case.ts';
import type { PlannedSetup } from './setup-and-teardown.ts';
import type { ToolPolicy } from './suite-definition.ts';

/** The plan of a run. Its setup and teardown calls are those of the suite; cases have their own. */
export interface RunPlan extends PlannedSetup {
  readonly planVersion: 1;
  readonly suite: { readonly id: string; readonly name: string };
  readonly cases: readonly PlannedCase[];
  /** All servers of the run; no others can be used. */
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  /** The client that the run plays. It has only a config if no saved client was chosen. */
  readonly client: {
    readonly id?: string;
    readonly configId?: string;
    readonly config: ClientConfig;
  };
  readonly skills: readonly ResolvedSkill[];
  readonly toolPolicy?: ToolPolicy;
  /**
   * The only tools held for writing (they may change data) that may be called; an empty list allows
   * none. If absent, this setting blocks no call.
   */
  readonly allowWrites?: readonly string[];
  readonly switchedOff?: LeftOut['cases'];
  /** Present if all trials share one session with each server; otherwise each trial has its own. */
  readonly sessions?: 'run';
  /** The trials whose recordings are stored (default: all). */
  readonly recordings?: 'failed' | 'off';
  /** Parts of results that may differ from the recording when this run is replayed. */
  readonly replayIgnore?: readonly string[];
  readonly replay?: ReplayTermsOfRun;
  /** Present if the official conformance suite plays the run. */
  readonly conformance?: PlannedConformance;
  /** Present if a judge may be asked; with `autoRun`, it is asked at the end of the run. */
  readonly judge?: PlannedJudge;
  /**
   * The prices at launch, so that later price changes do not affect the run; absent in older runs.
   */
  readonly prices?: readonly PlannedPrice[];
  /**
   * The most credits that the run may use, including its judges; if absent, only the organization's
   * daily credits limit it.
   */
  readonly maxCredits?: number;
  readonly overlay?: SurfaceOverlay;
  readonly overlayHash?: string;
  /** The warnings at launch; absent in older runs. */
  readonly warnings?: readonly CaseWarning[];
  /** The overrides at launch; absent if there were none, and in older runs. */
  readonly overrides?: PinnedOverrides;
  readonly limits: {
    /** The largest number of model answers in one turn. */
    readonly maxModelSteps: number;
    readonly trialTimeoutMs: number;
  };
}

export interface PinnedOverrides {
  readonly iterationOverride?: number;
  readonly trials?: StatedTrialPlan;
  readonly matchOptionsOverride?: MatchOptionsLayer;
  readonly passCriteria?: { readonly minimumPassRate?: number | undefined };
  readonly skillsOverride?: 'exclude';
  readonly model?: string;
  /**
   * The seed of the launch. It is stored here and not in the cases, so that cases of runs with
   * different seeds are equal and comparable.
   */
  readonly seed?: number;
}

export interface PlannedJudge {
  readonly model: string;
  readonly provider?: string;
  readonly threshold: number;
  readonly autoRun: boolean;
  /** Set if the judge uses a key that the caller sent, which is deleted when the run has ended. */
  readonly isOnCallersKey?: true;
}

export interface PlannedTrial {
  /** The number of the trial in the whole run: 1, 2, 3 … */
  readonly ordinal: number;
  readonly caseIndex: number;
  readonly variantIndex: number;
  /** The number of the trial within its variant: 1, 2, 3 … */
  readonly trialNumber: number;
}

/**
 * Plans trials case by case and variant by variant, in an order that depends only on the plan. A
 * variant with a trial plan gets a place for each trial that it may begin; most of these are never
 * begun.
 */
export function planTrials(plan: Pick<RunPlan, 'cases'>): readonly PlannedTrial[] {
  const known = trialsOfCases.get(plan.cases);
  if (known !== undefined) return known;
  const trials: PlannedTrial[] = [];
  for (const [caseIndex, { variants }] of plan.cases.entries()) {
    for (const [variantIndex, variant] of variants.entries()) {
      for (let trialNumber = 1; trialNumber <= placesOf(variant); trialNumber += 1) {
        trials.push({ ordinal: trials.length + 1, caseIndex, variantIndex, trialNumber });
      }
    }
  }
  trialsOfCases.set(plan.cases, trials);
  return trials;
}

/**
 * A cache: every slice of a run needs the list of trials, which may have twenty thousand entries.
 */
const trialsOfCases = new WeakMap<RunPlan['cases'], readonly PlannedTrial[]>();

function placesOf({ repetitions, trialPlan }: PlannedVariant): number {
  return trialPlan === undefined ? repetitions : mostBegun(trialPlan);
}

/** Returns the maximum trials of the run, without replacements of ungraded trials. */
export function countedTrials(plan: Pick<RunPlan, 'cases'>): PlannedTrial[] {
  return planTrials(plan).filter(
    (trial) => trial.trialNumber <= (variantOfTrial(plan, trial)?.repetitions ?? 0),
  );
}

/**
 * Returns the first trials of the run: all trials of variants without a trial plan, and the trials
 * before the first look (interim check) of each plan.
 */
export function firstTrials(plan: Pick<RunPlan, 'cases'>): PlannedTrial[] {
  return countedTrials(plan).filter((trial) => {
    const trialPlan = variantOfTrial(plan, trial)?.trialPlan;
    return trialPlan === undefined || trial.trialNumber <= trialPlan.look;
  });
}

export function variantOfTrial(
  { cases }: Pick<RunPlan, 'cases'>,
  { caseIndex, variantIndex }: Pick<PlannedTrial, 'caseIndex' | 'variantIndex'>,
): PlannedVariant | undefined {
  return cases[caseIndex]?.variants[variantIndex];
}
