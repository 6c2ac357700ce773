/** The answer of the gate for a decision that was fetched, as every command that ends with it says. */
import { exitCodeOfGate, type GateWord, wentAsRecorded, wordOfGate } from '@proofmark/domain';
import { type QuarantineToRender, waiverOf } from '@proofmark/report';
import type { FetchedDecision } from './fetch-decision.ts';

export interface GateOfDecision {
  readonly word: GateWord;
  readonly exitCode: number;
}

export function gateOfDecision({
  run,
  summary,
  quarantine,
}: Pick<FetchedDecision, 'run' | 'summary' | 'quarantine'>): GateOfDecision {
  const word = wordOfGate({
    status: run.status,
    verdict: summary.verdict,
    isWaived: waiverOf(run) !== undefined,
    quarantine,
    wentAsRecorded: wentAsRecorded(run.replay),
  });
  return { word, exitCode: exitCodeOfGate[word] };
}

/** Returns the quarantine as reports render it; undefined if it did nothing. */
export function quarantineToRender(
  decision: Parameters<typeof gateOfDecision>[0],
  placeOf?: QuarantineToRender['placeOf'],
): QuarantineToRender | undefined {
  const { quarantine } = decision;
  if (quarantine.letThrough.length + quarantine.stale.length === 0) return undefined;
  const { word } = gateOfDecision(decision);
  return { ...quarantine, word, ...(placeOf && { placeOf }) };
}
