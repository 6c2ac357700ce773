/** What of a conversation the failed stage of a trial is derived from: calls by their spans, else turns, else checks. */
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

/** Of the stage that the address names, else of the first that failed. */
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

/** By its span. Where a chain points at nothing, as of a report without spans of errors, by having given no result. */
export function isEvidentCall(evidence: ShownEvidence | undefined, call: SeenCall): boolean {
  if (evidence === undefined) return false;
  const { stage, spanIds, turns } = evidence;
  if (call.spanId !== undefined && spanIds.includes(call.spanId)) return true;
  const isOfCalls = stage === 'call' || stage === 'response';
  if (!isOfCalls || evidence.state !== 'failed' || spanIds.length + turns.length > 0) return false;
  return call.result?.isError ?? true;
}

/** A call is evidence by its span; where no span is named that is in the turn, the whole turn is. */
export function isEvidentTurn(
  evidence: ShownEvidence | undefined,
  index: number,
  spansOfTurn: readonly (string | undefined)[],
): boolean {
  if (evidence === undefined || !evidence.turns.includes(index)) return false;
  return !spansOfTurn.some((id) => id !== undefined && evidence.spanIds.includes(id));
}

/** A chain keeps the beginning of what a check said. */
export function isEvidentCheck(evidence: ShownEvidence | undefined, said: string | undefined) {
  if (evidence === undefined || said === undefined) return false;
  return evidence.reasons.some((reason) => said.startsWith(reason.slice(0, 100)));
}
