/**
 * What an authored suite has declared for its cases when a reporter begins a run of it: how often each is to be tried,
 * and the thresholds cases have of their own. It is kept with the run, so that a later edit changes nothing.
 */
import type { CaseData } from '../suites/case-data.ts';
import { caseRepetitions, type RepetitionSettings } from '../suites/case-repetitions.ts';
import { caseKeyOfRow } from '../suites/data-rows.ts';

export interface DeclaredCase {
  readonly repetitions: number;
  readonly passThreshold?: number;
  /** Its rows are reported as cases of their own, by its key and what is behind it. */
  readonly hasRows?: true;
}

export interface DeclaredTrials {
  /** Of every case that is not named below. */
  readonly repetitions: number;
  /** By the key of the case, those that say something else. */
  readonly cases: Readonly<Record<string, DeclaredCase>>;
}

export function declaredTrials(
  settings: RepetitionSettings,
  cases: readonly {
    readonly caseKey: string;
    readonly definition: {
      readonly iterations?: number | undefined;
      readonly passThreshold?: number | undefined;
      readonly data?: CaseData | undefined;
    };
  }[],
): DeclaredTrials {
  const repetitions = caseRepetitions({}, settings);
  const own = cases.flatMap(({ caseKey, definition }): [string, DeclaredCase][] => {
    const { iterations, passThreshold, data } = definition;
    if (iterations === undefined && passThreshold === undefined) return [];
    const declared = caseRepetitions({ ofCase: iterations }, settings);
    const own = { ...(passThreshold !== undefined && { passThreshold }) };
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
