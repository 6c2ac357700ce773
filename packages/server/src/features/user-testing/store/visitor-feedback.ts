/** Ratings by visitors: one for each turn, and one for the whole session. */
import type { RatingScale } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';

export interface FeedbackToWrite {
  readonly organizationId: string;
  readonly sessionId: string;
  readonly turnId: string | null;
  readonly rating: number;
  readonly scale: RatingScale;
  readonly comment: string | null;
}

export async function isRatable(sql: Sql, sessionId: string, turnId: string): Promise<boolean> {
  const rows = await sql`
    select from visitor_turns where id = ${turnId} and session_id = ${sessionId}
      and status in ('completed', 'failed', 'stopped')`;
  return rows.length > 0;
}

/**
 * Stores a rating. It also marks the session for a new evaluation, because the rating is a part of
 * the result.
 */
export async function writeFeedback(sql: Sql, feedback: FeedbackToWrite): Promise<void> {
  const { organizationId, sessionId, turnId, rating, scale, comment } = feedback;
  const target =
    turnId === null
      ? sql`(session_id) where turn_id is null`
      : sql`(session_id, turn_id) where turn_id is not null`;
  await sql`
    insert into visitor_feedback (organization_id, session_id, turn_id, rating, scale, comment)
    values (${organizationId}, ${sessionId}, ${turnId}, ${rating}, ${scale}, ${comment})
    on conflict ${target} do update set rating = excluded.rating, scale = excluded.scale, comment = excluded.comment,
      updated_at = clock_timestamp()`;
  await sql`update visitor_sessions set settled_at = null where id = ${sessionId}`;
}
