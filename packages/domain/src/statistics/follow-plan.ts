/**
 * Follows a trial plan through the results of a case variant, in the order in which its trials were
 * begun.
 *
 * A look (an interim check) is decided once it has enough graded trials. A trial that was not
 * graded is replaced, at most as often as a look has trials. If a look still lacks graded trials,
 * the plan stops without an answer, and the verdict policy decides the case.
 */
import { decideLook, type PlanStop } from './decide-look.ts';
import type { TrialPlan } from './trial-plan.ts';

/** `open`: the trial has not ended. `ungraded`: it ended without a grade. */
export type PlannedResult = 'passed' | 'failed' | 'ungraded' | 'open';

export interface VariantPlan extends TrialPlan {
  /** Present if every trial of the variant has the same result, so that one trial is enough. */
  readonly isDeterministic?: true;
}

export interface WalkedLook {
  readonly trials: number;
  readonly passed: number;
  readonly l: number;
}

export type NextOfPlan =
  | { readonly kind: 'begin'; readonly trials: number }
  | { readonly kind: 'wait' }
  | { readonly kind: 'stop'; readonly stop: PlanStop };

export interface FollowedPlan {
  readonly trials: number;
  readonly passed: number;
  readonly walk: readonly WalkedLook[];
  readonly next: NextOfPlan;
}

/** Returns the maximum number of trials of a case variant, without replacements. */
export function capOfPlan({ cap, isDeterministic }: VariantPlan): number {
  return isDeterministic ? 1 : cap;
}

/** Returns the maximum number of trials of a case variant, including all replacements. */
export function mostBegun({ cap, isDeterministic }: VariantPlan): number {
  return isDeterministic ? 2 : 2 * cap;
}

export function followPlan(plan: VariantPlan, results: readonly PlannedResult[]): FollowedPlan {
  if (plan.isDeterministic) return followOnce(plan, results);
  const walk: WalkedLook[] = [];
  let passed = 0;
  let trials = 0;
  let begun = 0;
  for (const result of results) {
    begun += 1;
    if (result === 'passed') passed += 1;
    if (result !== 'passed' && result !== 'failed') continue;
    trials += 1;
    if (trials % plan.look !== 0) continue;
    const { l, stop } = decideLook(plan, { passed, trials });
    walk.push({ trials, passed, l });
    if (stop !== null) return { trials, passed, walk, next: { kind: 'stop', stop } };
    begun = 0;
  }
  const next = nextOfLook(plan.look, { begun, graded: trials % plan.look }, results);
  return { trials, passed, walk, next };
}

function nextOfLook(
  look: number,
  { begun, graded }: { readonly begun: number; readonly graded: number },
  results: readonly PlannedResult[],
): NextOfPlan {
  if (results.includes('open')) return { kind: 'wait' };
  if (begun === 0) return { kind: 'begin', trials: look };
  const replacements = Math.min(look - graded, 2 * look - begun);
  return replacements > 0
    ? { kind: 'begin', trials: replacements }
    : { kind: 'stop', stop: 'notDecided' };
}

/**
 * A deterministic variant has one look (an interim check) with one trial, which may be replaced
 * once.
 */
function followOnce(plan: VariantPlan, results: readonly PlannedResult[]): FollowedPlan {
  const graded = results.find((result) => result === 'passed' || result === 'failed');
  if (graded === undefined) {
    const next = nextOfLook(1, { begun: results.length, graded: 0 }, results);
    return { trials: 0, passed: 0, walk: [], next };
  }
  const counts = { trials: 1, passed: graded === 'passed' ? 1 : 0 };
  const walk = [{ ...counts, l: decideLook(plan, counts).l }];
  return { ...counts, walk, next: { kind: 'stop', stop: 'deterministic' } };
}
