import { readChain, type StoredChain } from '../chain/read-chain.ts';
import { toolIdOf, usesBySpans } from '../insights/tool-uses.ts';
import { firstErrorsOfTools } from '../swarms/analyzed-session.ts';
import type { SessionEvidence } from '../swarms/session-evidence.ts';
import { type AnalyzedVisit, pathOfVisit } from './detect-in-window.ts';
import type { SessionOutcome } from './session-outcome.ts';
import { madeCallsOf } from './visit-evidence.ts';
import { segmentOf, type VisitorWords } from './visitor-words.ts';

export interface VisitToAnalyze extends Pick<VisitorWords, 'authType' | 'recency'> {
  readonly id: string;
  /** Increases from session to session, so that later sessions sort last. */
  readonly order: number;
  readonly environmentId: string | null;
  readonly evidence: SessionEvidence | undefined;
  readonly spans: readonly unknown[];
  readonly chain: StoredChain | undefined;
  readonly outcome: SessionOutcome;
  readonly rating: number | null;
  /**
   * Every rating with the index of the recorded turn that it is about; undefined for the whole
   * session.
   */
  readonly ratings: readonly { readonly rating: number; readonly turn: number | undefined }[];
  readonly deviceKind: string | null;
  readonly modelId: string | null;
  readonly tokensUsed: number | null;
}

export function analyzeVisit(
  visit: VisitToAnalyze,
  sha256Hex: (text: string) => string,
): AnalyzedVisit {
  const { evidence, spans } = visit;
  const chain = readChain(visit.chain);
  const verified = chain.status === 'verified' ? chain : undefined;
  const failedRow = verified?.stages.find(({ state }) => state === 'failed');
  const calls = evidence?.turns.flat() ?? [];
  const pathOf = (turns: SessionEvidence['turns']) =>
    pathOfVisit(
      (evidence === undefined ? [] : madeCallsOf({ ...evidence, turns })).map(
        ({ toolName, serverId }) => ({
          id: toolIdOf({ toolName, ...(serverId !== undefined && { serverId }) }),
          toolName,
        }),
      ),
      sha256Hex,
    );
  const path = pathOf(evidence?.turns ?? []);
  return {
    id: visit.id,
    order: visit.order,
    targetId: visit.environmentId ?? '',
    model: visit.modelId,
    tokensUsed: visit.tokensUsed,
    tools: usesBySpans(spans, true) ?? [],
    notOffered: [
      ...new Set(
        calls.flatMap(({ notMade, toolName }) => (notMade === 'notOffered' ? toolName : [])),
      ),
    ],
    path,
    outcome: visit.outcome,
    rating: visit.rating,
    ratedAnswers: visit.ratings.map(({ rating, turn }) => ({
      rating,
      turn,
      path: turn === undefined ? path : pathOf(evidence?.turns.slice(turn, turn + 1) ?? []),
    })),
    deviceKind: visit.deviceKind,
    segment: segmentOf(visit),
    toolErrors: firstErrorsOfTools(evidence, spans),
    stages: verified?.stages ?? [],
    failedPrompt: failedRow?.evidence?.promptIndexes?.[0],
    firstFailedStage: verified?.firstFailedStage,
    failureCategory: verified?.failureCategory,
  };
}
