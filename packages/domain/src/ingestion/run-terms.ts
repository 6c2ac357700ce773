/**
 * What a run will be decided by, fixed when it starts. A run that states a percent threshold and no policy is a
 * legacy run and stays one. Every other run is decided under verdict policy v2, with the defaults for what
 * it does not state; a case must then pass every trial unless the run states a threshold.
 */
import type { ValidityPolicy } from '../verdict/decision.ts';
import { resolvePolicy, type StatedValidity } from '../verdict/resolve-policy.ts';

export const defaultPassThreshold = 1;

export interface StatedTerms {
  readonly passCriteria?: { readonly minimumPassRate?: number | undefined } | undefined;
  readonly verdictPolicy?:
    | (StatedValidity & { readonly passThreshold?: number | undefined })
    | undefined;
}

export type RunTerms =
  | { readonly policy: ValidityPolicy; readonly passThreshold: number }
  | { readonly minimumPassRate: number };

/** Everything about a run that must not change under it. */
export interface RunSnapshot {
  readonly terms: RunTerms;
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
}

export function resolveTerms({ passCriteria, verdictPolicy }: StatedTerms): RunTerms {
  const minimumPassRate = passCriteria?.minimumPassRate;
  if (minimumPassRate !== undefined && verdictPolicy === undefined) return { minimumPassRate };
  return {
    policy: resolvePolicy(verdictPolicy),
    passThreshold: verdictPolicy?.passThreshold ?? defaultPassThreshold,
  };
}
