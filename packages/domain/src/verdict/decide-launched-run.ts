/**
 * Decides a run that this service launched, when the run ends. Its trials exist from the launch on,
 * so every configured trial is counted, however it ended. Cases are named and judged by the plan of
 * the run, not by later edits. A percent threshold gives a result only for a completed run, not for
 * a stopped one.
 */
import type { AlikeTrials } from '../ingestion/alike-trials.ts';
import { decideReportedRun, type RunEnd } from '../ingestion/decide-reported-run.ts';
import type { RunTerms } from '../ingestion/run-terms.ts';
import type { RunPlan } from '../suites/run-plan.ts';

export interface LaunchedTrials extends Omit<AlikeTrials, 'caseKey' | 'declaredId'> {
  readonly caseId: string;
}

export function decideLaunchedRun(
  run: {
    readonly terms: RunTerms;
    readonly plan: Pick<RunPlan, 'cases'>;
    readonly wasCompleted: boolean;
  },
  trials: readonly LaunchedTrials[],
  sha256Hex: (text: string) => string,
): RunEnd {
  const planned = new Map(run.plan.cases.map((one) => [one.caseId, one]));
  const named = trials.map(({ caseId, ...trial }): AlikeTrials => {
    const found = planned.get(caseId);
    if (found === undefined)
      throw new Error('Internal fault: the plan of the run has no case for one of its trials.');
    const { caseKey, declaredId = null, title } = found;
    return { ...trial, caseKey, declaredId, title };
  });
  // Every configured trial is already in the list of trials. One repetition is declared, so that no
  // further trials are expected.
  const cases = Object.fromEntries(
    run.plan.cases.map(({ caseKey, passThreshold, variants }) => [
      caseKey,
      {
        repetitions: 1,
        passThreshold,
        ...(variants.some(({ trialPlan, wasPlanned }) => trialPlan ?? wasPlanned) && {
          isPlanned: true as const,
        }),
      },
    ]),
  );
  const end = decideReportedRun(run.terms, named, null, sha256Hex, { repetitions: 1, cases });
  return 'minimumPassRate' in run.terms && !run.wasCompleted ? { ...end, result: null } : end;
}
