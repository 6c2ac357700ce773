/**
 * Everything a run needs to be run, fixed when it was launched: cases with their options resolved, the models of each,
 * the servers, and the client it plays. Whatever is edited afterwards changes nothing for a run that was accepted.
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

/** What stands around every trial is what its suite says. */
export interface RunPlan extends PlannedSetup {
  readonly planVersion: 1;
  readonly suite: { readonly id: string; readonly name: string };
  readonly cases: readonly PlannedCase[];
  /** The closed set. */
  readonly servers: readonly { readonly id: string; readonly name: string }[];
  /** The client the run plays; only a config where no saved client was chosen. */
  readonly client: {
    readonly id?: string;
    readonly configId?: string;
    readonly config: ClientConfig;
  };
  readonly skills: readonly ResolvedSkill[];
  readonly toolPolicy?: ToolPolicy;
  /** Present, also empty: of the tools held for writing, only these are called. */
  readonly allowWrites?: readonly string[];
  /** The cases of the suite that are switched off; absent where there is none. */
  readonly switchedOff?: LeftOut['cases'];
  /** Present where all trials share one session with each server; else each has its own. */
  readonly sessions?: 'run';
  /** Of which trials it is kept what they said and heard; absent: of all. */
  readonly recordings?: 'failed' | 'off';
  /** What of a result may differ from the recorded one, where it is replayed. */
  readonly replayIgnore?: readonly string[];
  /** Present where it plays an earlier run again. */
  readonly replay?: ReplayTermsOfRun;
  /** Present where a judge may be asked; `autoRun` asks it at the end of the run. */
  readonly judge?: PlannedJudge;
  /** Of the models that have one, whatever the operator says later; absent in runs that were launched without them. */
  readonly prices?: readonly PlannedPrice[];
  /** The most that it may spend, judges included; absent where only the credits of the day count. */
  readonly maxCredits?: number;
  /** What models are shown of tools in the place of what servers list, with its hash; absent without one. */
  readonly overlay?: SurfaceOverlay;
  readonly overlayHash?: string;
  /** What its launch was answered with; absent in runs that were launched before it was. */
  readonly warnings?: readonly CaseWarning[];
  /** What its launch said beyond the suite; absent where it said nothing, and in runs from before it was kept. */
  readonly overrides?: PinnedOverrides;
  readonly limits: {
    /** Answers of the model in one turn. */
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
  /** Not written into the cases: what they ask for is the same under any seed, so runs stay comparable. */
  readonly seed?: number;
}

export interface PlannedJudge {
  readonly model: string;
  readonly provider?: string;
  readonly threshold: number;
  readonly autoRun: boolean;
  /** It is asked with a key of the caller, which is deleted when the run has ended. */
  readonly isOnCallersKey?: true;
}

/** One trial: a case under one of its variants, for the n-th time. */
export interface PlannedTrial {
  /** 1, 2, 3 … through the whole run. */
  readonly ordinal: number;
  readonly caseIndex: number;
  readonly variantIndex: number;
  /** 1, 2, 3 … within the variant. */
  readonly trialNumber: number;
}

/** Case by case, variant by variant. The same plan always gives the same trials. */
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
