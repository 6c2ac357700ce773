/**
 * Finds the part of the conversation that explains a trial's failed stage: calls, identified by
 * their spans, or else turns, or else checks.
 */
import { type StageResultRow, stages } from '@proofmark/domain';

export interface ShownEvidence {
  readonly stage: string;
  readonly state: string;
  readonly spanIds: readonly string[];
  readonly turns: readonly number[];
  readonly reasons: readonly string[];
}

const anchor = 'stage-';

export function stageAnchor(stage: string): string {
  return `${anchor}${stage}`;
}

/** Returns the evidence for the stage in the page's address, or else for the first failed stage. */
export function evidenceToShow(
  rows: readonly StageResultRow[],
  hash: string,
): ShownEvidence | undefined {
  const named = stages.find((stage) => stageAnchor(stage) === hash);
  const row = rows.find(({ stage, state }) =>
    named === undefined ? state === 'failed' : stage === named,
  );
  if (row === undefined) return undefined;
  const { spanIds = [], promptIndexes = [], predicateReasons = [] } = row.evidence ?? {};
  return {
    stage: row.stage,
    state: row.state,
    spanIds,
    turns: promptIndexes,
    reasons: predicateReasons,
  };
}

interface SeenCall {
  readonly spanId?: string;
  readonly result?: { readonly isError: boolean };
}

/**
 * Whether a call explains the failed stage: the stage result names its span. If the result names
 * neither spans nor turns, as in some reported trials, calls with an error or without a result
 * count.
 */
export function isEvidentCall(evidence: ShownEvidence | undefined, call: SeenCall): boolean {
  if (evidence === undefined) return false;
  const { stage, spanIds, turns } = evidence;
  if (call.spanId !== undefined && spanIds.includes(call.spanId)) return true;
  const isOfCalls = stage === 'call' || stage === 'response';
  if (!isOfCalls || evidence.state !== 'failed' || spanIds.length + turns.length > 0) return false;
  return call.result?.isError ?? true;
}

/**
 * Whether a turn as a whole explains the failed stage: the stage result names the turn but no span
 * of a call in it.
 */
export function isEvidentTurn(
  evidence: ShownEvidence | undefined,
  index: number,
  spansOfTurn: readonly (string | undefined)[],
): boolean {
  if (evidence === undefined || !evidence.turns.includes(index)) return false;
  return !spansOfTurn.some((id) => id !== undefined && evidence.spanIds.includes(id));
}

/** Only the beginning of the message is compared, because stage results store messages cut. */
export function isEvidentCheck(
  evidence: ShownEvidence | undefined,
  explanation: string | undefined,
) {
  if (evidence === undefined || explanation === undefined) return false;
  return evidence.reasons.some((reason) => explanation.startsWith(reason.slice(0, 100)));
}
