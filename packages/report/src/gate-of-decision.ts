import {
  caseOfRow,
  type DecisionSummary,
  exitCodeOfGate,
  type GateWord,
  type QuarantineAtGate,
  type RunReplay,
  wentAsRecorded,
  wordOfGate,
} from '@proofmark/domain';
import type { QuarantineToRender } from './quarantine-words.ts';
import { waiverOf } from './waiver-of.ts';

export interface DecisionAtGate {
  readonly run: Parameters<typeof waiverOf>[0] & {
    readonly status: string;
    readonly replay?: RunReplay | undefined;
  };
  readonly summary: DecisionSummary;
  readonly quarantine: QuarantineAtGate;
}

export interface GateOfDecision {
  readonly word: GateWord;
  readonly exitCode: number;
}

export function gateOfDecision({ run, summary, quarantine }: DecisionAtGate): GateOfDecision {
  const word = wordOfGate({
    status: run.status,
    verdict: summary.verdict,
    isWaived: waiverOf(run) !== undefined,
    quarantine,
    wentAsRecorded: wentAsRecorded(run.replay),
  });
  return { word, exitCode: exitCodeOfGate[word] };
}

/** Returns undefined if the quarantine had no effect. */
export function quarantineToRender(
  decision: DecisionAtGate,
  placeOf?: QuarantineToRender['placeOf'],
): QuarantineToRender | undefined {
  const { quarantine } = decision;
  if (quarantine.letThrough.length + quarantine.stale.length === 0) return undefined;
  const { word } = gateOfDecision(decision);
  const { summary } = decision;
  const cases = summary.verdictSource === 'policyV2' ? summary.decision.cases : [];
  const caseIds = [...new Set(cases.map(({ caseId }) => caseOfRow(caseId)))];
  return { ...quarantine, word, caseIds, ...(placeOf && { placeOf }) };
}
