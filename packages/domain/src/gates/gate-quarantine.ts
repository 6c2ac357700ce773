/**
 * Applies a quarantine (a list of flaky case variants that may fail) at the gate of a run. The
 * run's verdict stays. A failed run passes the gate if an entry in force covers every failed
 * variant. A stale entry fails the gate, even if the run passed.
 */
import { caseOfRow } from '../verdict/case-history.ts';
import type { DecisionCase } from '../verdict/decision.ts';
import type { QuarantineEntry } from './quarantine-entry.ts';

export interface RunWithQuarantine<Entry extends QuarantineEntry> {
  /** Absent if the run was not decided by cases. */
  readonly cases: readonly DecisionCase[] | undefined;
  /**
   * The run's trials that did not pass. They show the model of a case that ran on only one model,
   * since the decision omits that model.
   */
  readonly notPassed?: readonly TrialOnModel[];
  readonly entries: readonly Entry[];
}

export interface TrialOnModel {
  readonly caseId?: string | null | undefined;
  readonly testCaseId: string | null;
  readonly model: string | null;
}

export interface LetThrough<Entry extends QuarantineEntry = QuarantineEntry> {
  readonly variant: DecisionCase;
  readonly entry: Entry;
}

export interface QuarantineAtGate<Entry extends QuarantineEntry = QuarantineEntry> {
  readonly letThrough: readonly LetThrough<Entry>[];
  readonly stale: readonly Entry[];
  /** True if variants failed and a quarantine entry in force covers each of them. */
  readonly excusesAll: boolean;
}

export function gateQuarantine<Entry extends QuarantineEntry>({
  cases = [],
  notPassed = [],
  entries,
}: RunWithQuarantine<Entry>): QuarantineAtGate<Entry> {
  const inForce = entries.filter(({ state }) => state === 'inForce');
  const failed = cases.filter(({ verdict }) => verdict === 'failed');
  const letThrough = failed.flatMap((variant) => {
    const entry = inForce.find((one) => isOfVariant(one, variant, notPassed));
    return entry === undefined ? [] : [{ variant, entry }];
  });
  return {
    letThrough,
    stale: entries.filter(({ state }) => state !== 'inForce'),
    excusesAll: failed.length > 0 && letThrough.length === failed.length,
  };
}

/**
 * Returns whether a quarantine entry in force names a model. The model of the run must then be
 * known.
 */
export function asksForModel(
  entries: readonly Pick<QuarantineEntry, 'model' | 'state'>[],
): boolean {
  return entries.some(({ model, state }) => model !== null && state === 'inForce');
}

function isOfVariant(
  entry: QuarantineEntry,
  { caseId, executionVariant }: DecisionCase,
  notPassed: readonly TrialOnModel[],
): boolean {
  const { decisionCaseIds, model } = entry;
  const isOfCase = [caseId, caseOfRow(caseId)].some((id) => decisionCaseIds.includes(id));
  if (!isOfCase) return false;
  if (model === null) return true;
  if (executionVariant !== undefined) return model === executionVariant.model;
  const own = notPassed.filter((trial) => isOfEntry(entry, trial));
  // Without a trial that shows the model, nothing is excused.
  return own.length > 0 && own.every((trial) => trial.model === model);
}

function isOfEntry(entry: QuarantineEntry, { caseId, testCaseId }: TrialOnModel): boolean {
  const ids = [caseId, testCaseId].flatMap((id) => (id == null ? [] : [id, caseOfRow(id)]));
  return ids.some((id) => id === entry.caseId || entry.decisionCaseIds.includes(id));
}
