import { deriveChain } from './derive-chain.ts';
import type { SpanEvidence, TrialEvidence, TurnEvidence } from './trial-evidence.ts';
import type { Stage } from './vocabulary.ts';

export const everything: TrialEvidence['authored'] = {
  hasPrompt: true,
  expectsToolCall: true,
  isNegativeTest: false,
  hasAssertion: true,
  hasExpectedOutput: false,
  assertsWidget: false,
};
export const nothingAuthored = {
  hasPrompt: false,
  expectsToolCall: false,
  isNegativeTest: false,
  hasAssertion: false,
  hasExpectedOutput: false,
  assertsWidget: false,
};
export const bare: TrialEvidence = {
  authored: everything,
  status: 'completed',
  tracePresent: true,
  executorEmitsSpans: true,
  spans: [],
  turns: [],
  assertions: [],
  toolErrors: [],
  renders: [],
};
export const noTrace = { tracePresent: false };
export const noSpans = { executorEmitsSpans: false };
export const ok = { ok: true } as const;
export const toolSpan: SpanEvidence = {
  id: 'span-1',
  category: 'tool',
  status: 'ok',
  promptIndex: 0,
};
export const cleanTurn: TurnEvidence = {
  promptIndex: 0,
  calledCount: 1,
  missingCount: 0,
  unexpectedCount: 0,
  argumentMismatchCount: 0,
  passed: true,
};
const good: Partial<TrialEvidence> = {
  connect: ok,
  toolsList: ok,
  spans: [toolSpan],
  turns: [cleanTurn],
  assertions: [{ type: 'responseContains', passed: true }],
};
export const allGood: TrialEvidence = { ...bare, ...good };

export function down(attribution: 'ours' | 'theirs' | 'unknown', egressVerified = true) {
  return { ok: false, attribution, egressVerified } as const;
}
export function span(change: Partial<SpanEvidence>): SpanEvidence {
  return { ...toolSpan, ...change };
}
export function turn(change: Partial<TurnEvidence>): TurnEvidence {
  return { ...cleanTurn, ...change };
}
export function assertion(type: string, passed: boolean, reason?: string) {
  return { type, passed, ...(reason === undefined ? {} : { reason }) };
}
export function authored(change: Partial<TrialEvidence['authored']>) {
  return { authored: { ...everything, ...change } };
}
export function unverdicted(change: Partial<TurnEvidence>): TurnEvidence {
  const { passed, ...rest } = turn(change);
  return rest;
}
export function rowOf(stage: Stage, change: Partial<TrialEvidence>, from: TrialEvidence = bare) {
  const row = deriveChain({ ...from, ...change }).stageResults.find((one) => one.stage === stage);
  return `${row?.state}/${row?.reason}`;
}
export function strip(change: Partial<TrialEvidence>, from: TrialEvidence = bare) {
  return deriveChain({ ...from, ...change }).stageResults.map(
    (row) => `${row.state}/${row.reason}`,
  );
}
export function judged(score: number, threshold = 0.7, partialFloor = 0.4) {
  return { judge: { status: 'scored', score, threshold, partialFloor } } as const;
}
