/**
 * The case variants of a suite with statistics about their histories, and suggested quarantine
 * entries. Only a person can add an entry.
 */
import { type CaseStability, caseStability, historyStatements } from './history-statements.ts';
import type { VariantHistory } from './suite-histories.ts';

export const suggestedDays = 14;

export interface FlakyCase {
  readonly testCaseId: string;
  /** The declared id, or the id of the case. */
  readonly caseId: string;
  readonly title: string;
  readonly model: string | null;
  readonly state: CaseStability;
  readonly steady: boolean;
  readonly runs: number;
  readonly trials: number;
  readonly passed: number;
  readonly quarantined: boolean;
}

export function flakyCase(
  history: VariantHistory,
  known: Pick<FlakyCase, 'caseId' | 'title' | 'quarantined'>,
): FlakyCase {
  const { caseId: testCaseId, model, runs, results, isRegressed } = history;
  // The pass threshold does not affect the values used here.
  const { isFlaky, steady, trials, passed } = historyStatements(results, 1);
  const state = caseStability({ isFlaky, isRegressed });
  return { testCaseId, model, ...known, state, steady, runs, trials, passed };
}

/** Returns lines for the suite file; null if no flaky case is outside the quarantine. */
export function suggestedQuarantine(cases: readonly FlakyCase[], nowMs: number): string | null {
  const flaky = cases.filter(({ state, quarantined }) => state === 'flaky' && !quarantined);
  const variants = new Map(cases.map(({ caseId }) => [caseId, new Set<string | null>()]));
  for (const { caseId, model } of cases) variants.get(caseId)?.add(model);
  // Today is the first of these days, and an entry is in force to the end of its last one.
  const expires = new Date(nowMs + (suggestedDays - 1) * 86_400_000).toISOString().slice(0, 10);
  const named = new Set<string>();
  const lines = flaky.flatMap(({ caseId, model, runs, trials, passed }) => {
    const hasOthers = (variants.get(caseId)?.size ?? 0) > 1;
    const key = JSON.stringify([caseId, hasOthers ? model : null]);
    if (named.has(key)) return [];
    named.add(key);
    const reason = `Flaky: ${passed} of ${trials} graded trials passed over ${runs} run${runs === 1 ? '' : 's'}.`;
    return [
      `  - case: ${JSON.stringify(caseId)}`,
      ...(hasOthers && model !== null ? [`    model: ${JSON.stringify(model)}`] : []),
      '    owner: "" # the person who repairs the case',
      `    reason: ${JSON.stringify(reason)}`,
      `    expires: "${expires}"`,
    ];
  });
  return lines.length === 0 ? null : ['quarantine:', ...lines].join('\n');
}
