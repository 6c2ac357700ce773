/**
 * What an authored suite has declared for its cases when a reporter begins a run of it: how often each is to be tried,
 * and the thresholds cases have of their own. It is kept with the run, so that a later edit changes nothing.
 */
import { caseRepetitions, type RepetitionSettings } from '../suites/case-repetitions.ts';

export interface DeclaredCase {
  readonly repetitions: number;
  readonly passThreshold?: number;
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
    };
  }[],
): DeclaredTrials {
  const repetitions = caseRepetitions({}, settings);
  const own = cases.flatMap(({ caseKey, definition }): [string, DeclaredCase][] => {
    const { iterations, passThreshold } = definition;
    if (iterations === undefined && passThreshold === undefined) return [];
    const declared = caseRepetitions({ ofCase: iterations }, settings);
    return [
      [caseKey, { repetitions: declared, ...(passThreshold !== undefined && { passThreshold }) }],
    ];
  });
  return { repetitions, cases: Object.fromEntries(own) };
}

export function declaredCase(declared: DeclaredTrials | undefined, caseKey: string): DeclaredCase {
  if (declared === undefined) return { repetitions: 1 };
  return Object.hasOwn(declared.cases, caseKey)
    ? (declared.cases[caseKey] as DeclaredCase)
    : { repetitions: declared.repetitions };
}
