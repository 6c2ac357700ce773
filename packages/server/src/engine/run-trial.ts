/** Runs one trial of a plan to its end. It throws only when it was aborted or when we ourselves failed. */
import type { ChosenModel, PatternEngine, PlannedTrial, RunPlan } from '@proofmark/domain';
import type { ModelGateway } from '../model/model-gateway.ts';
import type { ServerDesk } from './server-desk.ts';
import type { TrialRecord } from './trial-record.ts';

export interface TrialMeans {
  /** The servers of the run, opened once and shared by many trials. */
  readonly servers: ServerDesk;
  readonly models: ModelGateway;
  /** As it was chosen at the launch, with the caller's key where it needs one. */
  modelOf(variant: { readonly model: string; readonly provider?: string }): {
    readonly model: ChosenModel;
    readonly apiKey?: string;
  };
  /** The texts of the plan's skills, by skillVersionId. */
  readonly skillTexts: ReadonlyMap<string, string>;
  readonly patterns: PatternEngine;
  sha256Hex(text: string): string;
  /** Milliseconds since 1970, and a clock that never goes back. */
  now(): number;
  elapsedMs(): number;
}

export async function runTrial(
  _means: TrialMeans,
  _plan: RunPlan,
  _trial: PlannedTrial,
  _signal: AbortSignal,
): Promise<TrialRecord> {
  throw new Error('not built');
}
