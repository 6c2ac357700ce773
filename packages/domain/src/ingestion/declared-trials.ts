/**
 * The trials that a suite declares when a reporter (a program that runs trials elsewhere) begins a
 * run of it: the repetitions and thresholds of cases. They are stored with the run, so that later
 * edits of the suite do not affect the run.
 */

import type { StatedTrialPlan } from '../statistics/stated-trial-plan.ts';
import { passingScoreOf } from '../statistics/trial-plan.ts';
import type { CaseData } from '../suites/case-data.ts';
import { caseRepetitions } from '../suites/case-repetitions.ts';
import { caseTrials, type TrialSettings } from '../suites/case-trials.ts';
import { caseKeyOfRow } from '../suites/data-rows.ts';
import { defaultPassThreshold } from '../verdict/resolve-policy.ts';

export interface DeclaredCase {
  readonly repetitions: number;
  readonly passThreshold?: number;
  readonly isPlanned?: true;
  /**
   * True if the case has data rows. Each row is reported as a separate case whose key begins with
   * this case's key.
   */
  readonly hasRows?: true;
}

export interface DeclaredTrials {
  /** The number of repetitions for every case without an entry in `cases`. */
  readonly repetitions: number;
  readonly cases: Readonly<Record<string, DeclaredCase>>;
}

export function declaredTrials(
  settings: TrialSettings,
  cases: readonly {
    readonly caseKey: string;
    readonly definition: {
      readonly iterations?: number | undefined;
      readonly passThreshold?: number | undefined;
      readonly trials?: StatedTrialPlan | undefined;
      readonly data?: CaseData | undefined;
    };
  }[],
): DeclaredTrials {
  const repetitions = caseRepetitions({}, settings);
  // In a suite with a trial plan, a case that states a number of trials must pass every trial.
  const ofPlannedSuite = settings.verdictPolicyDefaults?.trials && defaultPassThreshold;
  const own = cases.flatMap(({ caseKey, definition }): [string, DeclaredCase][] => {
    const { iterations, passThreshold, trials, data } = definition;
    if (iterations === undefined && passThreshold === undefined && trials === undefined) return [];
    const played = caseTrials({}, definition, settings);
    const declared = 'repetitions' in played ? played.repetitions : 1;
    const score = passThreshold ?? passingScoreOf(trials) ?? ofPlannedSuite;
    const own = { ...(score !== undefined && { passThreshold: score }) };
    const rows = data === undefined ? {} : { hasRows: true as const };
    return [[caseKey, { repetitions: declared, ...own, ...rows }]];
  });
  return { repetitions, cases: Object.fromEntries(own) };
}

export function declaredCase(declared: DeclaredTrials | undefined, caseKey: string): DeclaredCase {
  if (declared === undefined) return { repetitions: 1 };
  const own = ofCase(declared, caseKey);
  if (own !== undefined) return own;
  const ofRow = ofCase(declared, caseKeyOfRow(caseKey));
  return ofRow?.hasRows ? ofRow : { repetitions: declared.repetitions };
}

function ofCase(declared: DeclaredTrials, caseKey: string | undefined): DeclaredCase | undefined {
  return caseKey !== undefined && Object.hasOwn(declared.cases, caseKey)
    ? declared.cases[caseKey]
    : undefined;
}
