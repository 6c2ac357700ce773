/** Inserts visitor sessions as real turns would store them. */
import { randomBytes } from 'node:crypto';
import { makeId, type SessionEvidence } from '@proofmark/domain';
import { spansOf, turnOf } from './any-visits.ts';
import type { TestService } from './test-service.ts';
import type { Tenant } from './two-tenants.ts';

export interface VisitToStore {
  readonly turns?: readonly TurnToStore[];
  readonly ratings?: readonly number[];
  readonly visitor?: string;
  readonly isPreview?: boolean;
  readonly status?: 'active' | 'ended';
  readonly lastActivityAt?: Date;
  readonly startedAt?: Date;
  readonly deviceKind?: string;
  readonly displayName?: string;
}

export interface TurnToStore {
  readonly text?: string;
  readonly answer?: string;
  readonly evidence?: SessionEvidence;
  /** The messages as stored JSON text, possibly invalid. */
  readonly messagesText?: string;
}

function newId(kind: Parameters<typeof makeId>[0]): string {
  return makeId(kind, Date.now(), randomBytes(10));
}

type Place = Pick<Tenant, 'organizationId' | 'projectId'>;

/** Default: an ended session with one turn. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: tables of columns: the rows of one session, as a visit would write them.
export async function storeVisit(
  service: Pick<TestService, 'database'>,
  { organizationId, projectId }: Place,
  { scenarioId, environmentId }: { readonly scenarioId: string; readonly environmentId: string },
  visit: VisitToStore = {},
): Promise<string> {
  const { turns = [{}], ratings = [], visitor = randomBytes(8).toString('hex') } = visit;
  const { isPreview = false, status = 'ended', lastActivityAt = new Date() } = visit;
  const id = newId('chatSession');
  const evidences = turns.map(({ evidence }) => evidence ?? turnOf());
  await service.database.tenant([organizationId], async (sql) => {
    await sql`
      insert into visitor_sessions ${sql({
        id,
        organization_id: organizationId,
        project_id: projectId,
        scenario_id: scenarioId,
        environment_id: environmentId,
        visitor_id: `vis_${visitor}`,
        grant_id: 'g',
        is_preview: isPreview,
        status,
        ended_by: status === 'ended' ? 'visitor' : null,
        ended_at: status === 'ended' ? lastActivityAt : null,
        started_at: visit.startedAt ?? lastActivityAt,
        last_activity_at: lastActivityAt,
        auth_type: 'guest',
        recency: 'new',
        visitor_hash: visitor,
        language: 'en',
        display_name: visit.displayName ?? null,
        device_kind: visit.deviceKind ?? 'desktop',
        consent_version: '1',
        consented_at: lastActivityAt,
        model_id: 'proofmark/lexical-1',
        message_count: turns.length * 2,
        turn_count: turns.length,
        preview: turns[0]?.text ?? 'When do you open?',
        tool_call_count: evidences.flatMap((one) => one.turns.flat()).length,
        tool_error_count: evidences.flatMap((one) => one.seen.toolErrors).length,
        usage: JSON.stringify({ inputTokens: 10, outputTokens: 5, totalTokens: 15 }),
      })}`;
    for (const [ordinal, turn] of turns.entries()) {
      const { text = 'When do you open?', answer = 'At nine.' } = turn;
      const evidence = evidences[ordinal] as SessionEvidence;
      const turnId = newId('visitorTurn');
      const transcript = [
        { role: 'user', text, createdAt: 1 },
        { role: 'assistant', text: answer, createdAt: 2 },
      ];
      await sql`
        insert into visitor_turns ${sql({
          id: turnId,
          organization_id: organizationId,
          project_id: projectId,
          scenario_id: scenarioId,
          session_id: id,
          ordinal,
          client_turn_id: `c${ordinal}`,
          is_anonymous: true,
          status: 'completed',
          text,
          environment_id: environmentId,
          model_id: 'proofmark/lexical-1',
          messages: turn.messagesText ?? JSON.stringify(transcript),
          evidence: JSON.stringify(evidence),
        })}`;
      const messages = transcript.map(({ role, text: content }) => ({ role, content }));
      const trace = { traceVersion: 1, messages, spans: spansOf(evidence), toolSurface: null };
      await sql`
        insert into visitor_traces (turn_id, organization_id, trace)
        values (${turnId}, ${organizationId}, ${JSON.stringify(trace)})`;
      const rating = ratings[ordinal];
      if (rating !== undefined) {
        await sql`
          insert into visitor_feedback (organization_id, session_id, turn_id, rating, comment)
          values (${organizationId}, ${id}, ${turnId}, ${rating}, ${`rated ${rating}`})`;
      }
    }
  });
  return id;
}
