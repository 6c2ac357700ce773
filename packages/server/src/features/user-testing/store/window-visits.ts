/**
 * Reads sessions of visitors for detectors. Traces are large, so the caller should read a few at a
 * time.
 */
import {
  type AnalyzedVisit,
  analyzeVisit,
  evidenceOfVisit,
  type SessionOutcome,
  type StoredChain,
  type TokenUsage,
  tokensUsed,
  type VisitToAnalyze,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { readDocument, readRecord } from '../../../platform/database/read-document.ts';
import { feedbackOf, type GivenRow, readFeedback } from './read-visits.ts';
import { type RecordedVisit, readRecordedVisit } from './settled-visits.ts';

export interface ReadVisit {
  readonly id: string;
  readonly recorded: RecordedVisit;
  /** Builds the session for the detectors. A higher `order` means an older session. */
  analyze(order: number): AnalyzedVisit;
}

export async function readVisitsToAnalyze(
  sql: Sql,
  ids: readonly string[],
  wanted: 'withMessages' | 'withoutMessages' = 'withoutMessages',
): Promise<ReadVisit[]> {
  const rows = await sql<VisitRow[]>`
    select id, environment_id, auth_type, recency, device_kind, model_id, usage, outcome, chain
    from visitor_sessions where id = any (${ids}) and outcome is not null`;
  const feedback = await readFeedback(sql, ids);
  const visits: ReadVisit[] = [];
  for (const { usage, chain, ...row } of rows) {
    const recorded = await readRecordedVisit(sql, row.id, wanted);
    const visit: Omit<VisitToAnalyze, 'order'> = {
      ...row,
      evidence: evidenceOfVisit(recorded.turns),
      spans: recorded.spans,
      chain: chain === null ? undefined : (readRecord(chain) as StoredChain | undefined),
      rating: feedbackOf(feedback.get(row.id)).rating,
      ratings: ratingsIn(recorded, feedback.get(row.id) ?? []),
      tokensUsed: tokensUsed((readDocument(usage) as TokenUsage | undefined) ?? null),
    };
    visits.push({
      id: row.id,
      recorded,
      analyze: (order) => analyzeVisit({ ...visit, order }, sha256Hex),
    });
  }
  return visits;
}

/** Returns each rating with the index of its turn. A rating of an unreadable turn is left out. */
function ratingsIn(
  { turnIds }: RecordedVisit,
  given: readonly GivenRow[],
): VisitToAnalyze['ratings'] {
  return given.flatMap(({ turnId, rating }) => {
    const turn = turnId === null ? undefined : turnIds.indexOf(turnId);
    return turn === -1 ? [] : [{ rating, turn }];
  });
}

interface VisitRow {
  readonly id: string;
  readonly environmentId: string | null;
  readonly authType: 'signedIn' | 'guest';
  readonly recency: 'new' | 'returning';
  readonly deviceKind: string | null;
  readonly modelId: string | null;
  readonly usage: string | null;
  readonly outcome: SessionOutcome;
  readonly chain: string | null;
}
