/**
 * Finds evidence for a trial's failed stage in the conversation: calls, identified by their spans,
 * or else turns, or else checks.
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
 * A call is evidence if the chain contains its span. Some chains, such as reported ones without
 * error spans, contain neither spans nor turns. Calls with an error or without a result are then
 * evidence.
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
 * A turn in the chain is evidence as a whole, unless single calls in it are marked by their spans.
 */
export function isEvidentTurn(
  evidence: ShownEvidence | undefined,
  index: number,
  spansOfTurn: readonly (string | undefined)[],
): boolean {
  if (evidence === undefined || !evidence.turns.includes(index)) return false;
  return !spansOfTurn.some((id) => id !== undefined && evidence.spanIds.includes(id));
}

/** Only the beginning of the message is compared, because a chain stores no more of it. */
export function isEvidentCheck(
  evidence: ShownEvidence | undefined,
  explanation: string | undefined,
) {
  if (evidence === undefined || explanation === undefined) return false;
  return evidence.reasons.some((reason) => explanation.startsWith(reason.slice(0, 100)));
}
