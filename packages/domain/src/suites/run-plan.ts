/**
 * The plan of a run, fixed at its launch: cases with their resolved options and models, the
 * servers, and the played client. Later edits change nothing for an accepted run.
 */

import type { MatchOptionsLayer } from '../assertions/match-options.ts';
import type { ClientConfig } from '../clients/client-config.ts';
import type { ResolvedSkill } from '../environments/resolve-environment.ts';
import type { ReplayTermsOfRun } from '../recordings/run-replay.ts';
import type { SurfaceOverlay } from '../surfaces/surface-overlay.ts';
import type { LeftOut } from '../trials/left-out.ts';
import type { CaseWarning } from './case-warnings.ts';
import type { PlannedCase, PlannedPrice } from './planned-case.ts';
import type { PlannedSetup } from './setup-and-teardown.ts';
import type { ToolPolicy } from './suite-definition.ts';

/** The calls around every trial are those of the suite. */
export interface RunPlan extends PlannedSetup {
  readonly planVersion: 1;
  readonly suite: { readonly id: string; readonly name: string };
  readonly cases: readonly PlannedCase[];
  /** The closed set of servers. */
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  /** The played client; only a config if no saved client was chosen. */
  readonly client: {
    readonly id?: string;
    readonly configId?: string;
    readonly config: ClientConfig;
  };
  readonly skills: readonly ResolvedSkill[];
  readonly toolPolicy?: ToolPolicy;
  /**
   * The only tools held for writing that may be called. An empty list allows none; if absent, there
   * is no policy.
   */
  readonly allowWrites?: readonly string[];
  /** The disabled cases of the suite; absent if there are none. */
  readonly switchedOff?: LeftOut['cases'];
  /** Present if all trials share one session with each server; otherwise each trial has its own. */
  readonly sessions?: 'run';
  /** The trials whose recordings are stored (default: all). */
  readonly recordings?: 'failed' | 'off';
  /** The allowed differences between a result and the recorded one, in a replay. */
  readonly replayIgnore?: readonly string[];
  /** Present if it replays an earlier run. */
  readonly replay?: ReplayTermsOfRun;
  /** Present if a judge may be asked; `autoRun` asks it at the end of the run. */
  readonly judge?: PlannedJudge;
  /** The prices at launch, which later changes do not affect; absent in older runs. */
  readonly prices?: readonly PlannedPrice[];
  /** The limit of credits, judges included; if absent, only the credits of the day limit it. */
  readonly maxCredits?: number;
  /** The overlay of the listed tools, with its hash; absent without one. */
  readonly overlay?: SurfaceOverlay;
  readonly overlayHash?: string;
  /** The warnings of its launch; absent in older runs. */
  readonly warnings?: readonly CaseWarning[];
  /** The overrides of its launch; absent if there were none, and in older runs. */
  readonly overrides?: PinnedOverrides;
  readonly limits: {
    /** The limit of model answers in one turn. */
    readonly maxModelSteps: number;
    readonly trialTimeoutMs: number;
  };
}

export interface PinnedOverrides {
  readonly iterationOverride?: number;
  readonly matchOptionsOverride?: MatchOptionsLayer;
  readonly passCriteria?: { readonly minimumPassRate?: number | undefined };
  readonly skillsOverride?: 'exclude';
  readonly model?: string;
  /** Not written into the cases: they are the same under any seed, so runs stay comparable. */
  readonly seed?: number;
}

export interface PlannedJudge {
  readonly model: string;
  readonly provider?: string;
  readonly threshold: number;
  readonly autoRun: boolean;
  /** The judge uses a key of the caller, which is deleted when the run has ended. */
  readonly isOnCallersKey?: true;
}

/** One trial: the n-th repetition of a case variant. */
export interface PlannedTrial {
  /** 1, 2, 3 … over the whole run. */
  readonly ordinal: number;
  readonly caseIndex: number;
  readonly variantIndex: number;
  /** 1, 2, 3 … within the variant. */
  readonly trialNumber: number;
}

/** Plans trials case by case and variant by variant. The same plan always gives the same trials. */
export function planTrials(plan: Pick<RunPlan, 'cases'>): PlannedTrial[] {
  const trials: PlannedTrial[] = [];
  for (const [caseIndex, { variants }] of plan.cases.entries()) {
    for (const [variantIndex, { repetitions }] of variants.entries()) {
      for (let trialNumber = 1; trialNumber <= repetitions; trialNumber += 1) {
        trials.push({ ordinal: trials.length + 1, caseIndex, variantIndex, trialNumber });
      }
    }
  }
  return trials;
}
