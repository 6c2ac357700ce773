/**
 * What a quarantine does at the gate of a run. The verdict of the run stays. The gate lets a failed
 * run through if an entry in force holds for every case variant that failed. An entry that is stale
 * fails the gate, of a run that passed, too.
 */
import { caseOfRow } from '../verdict/case-history.ts';
import type { DecisionCase } from '../verdict/decision.ts';
import type { QuarantineEntry } from './quarantine-entry.ts';

export interface RunWithQuarantine<Entry extends QuarantineEntry> {
  /** The cases of the decision; absent if the run was not decided by cases. */
  readonly cases: readonly DecisionCase[] | undefined;
  /** The model of a run that played a single one; its decision does not repeat it. */
  readonly onlyModel?: string | undefined;
  readonly entries: readonly Entry[];
}

export interface LetThrough<Entry extends QuarantineEntry = QuarantineEntry> {
  readonly variant: DecisionCase;
  readonly entry: Entry;
}

export interface QuarantineAtGate<Entry extends QuarantineEntry = QuarantineEntry> {
  /** The case variants that failed, and for which an entry is in force. */
  readonly letThrough: readonly LetThrough<Entry>[];
  readonly stale: readonly Entry[];
  /** Whether variants failed, and an entry is in force for each of them. */
  readonly excusesAll: boolean;
}

export function gateQuarantine<Entry extends QuarantineEntry>({
  cases = [],
  onlyModel,
  entries,
}: RunWithQuarantine<Entry>): QuarantineAtGate<Entry> {
  const inForce = entries.filter(({ state }) => state === 'inForce');
  const failed = cases.filter(({ verdict }) => verdict === 'failed');
  const letThrough = failed.flatMap((variant) => {
    const entry = inForce.find((one) => isOfVariant(one, variant, onlyModel));
    return entry === undefined ? [] : [{ variant, entry }];
  });
  return {
    letThrough,
    stale: entries.filter(({ state }) => state !== 'inForce'),
    excusesAll: failed.length > 0 && letThrough.length === failed.length,
  };
}

/** Whether any entry names a model, so that the model of the run has to be known. */
export function asksForModel(
  entries: readonly Pick<QuarantineEntry, 'model' | 'state'>[],
): boolean {
  return entries.some(({ model, state }) => model !== null && state === 'inForce');
}

function isOfVariant(
  { decisionCaseIds, model }: QuarantineEntry,
  { caseId, executionVariant }: DecisionCase,
  onlyModel: string | undefined,
): boolean {
  const isOfCase = [caseId, caseOfRow(caseId)].some((id) => decisionCaseIds.includes(id));
  if (!isOfCase) return false;
  return model === null || model === (executionVariant?.model ?? onlyModel);
}
