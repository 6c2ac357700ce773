import { type ChatTargetKind, type PageRequest, withoutSecretShapes } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readRecords } from '../../../platform/database/read-document.ts';
import type { SearchBounds } from '../../../platform/database/search-traces.ts';

export interface StoredChatSession {
  readonly id: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly title: string | null;
  readonly status: 'active' | 'archived';
  readonly visibility: 'private' | 'project';
  readonly createdAt: Date;
  readonly lastActivityAt: Date;
  /**
   * The kind and the id of the target; both are null for a session from before the playground
   * existed.
   */
  readonly targetKind: ChatTargetKind | null;
  readonly targetId: string | null;
  readonly modelId: string | null;
  readonly messageCount: number;
  readonly toolCallCount: number;
  readonly preview: string | null;
}

/**
 * Reads a person's own sessions, and those shared with a project that they see. Tenant isolation
 * hides other organizations.
 */
export async function readChatSessions(
  sql: Sql,
  accountId: string,
  filter: { readonly status: StoredChatSession['status']; readonly projectId?: string | undefined },
  { limit, after }: PageRequest,
): Promise<StoredChatSession[]> {
  const rows = await sql<StoredChatSession[]>`
    select ${columns(sql)} from chat_sessions
    where (account_id = ${accountId} or (visibility = 'project' and project_id in (${projectsSeenBy(sql, accountId)})))
      and status = ${filter.status}
      ${filter.projectId === undefined ? sql`` : sql`and project_id = ${filter.projectId}`}
      ${before(sql, after)}
    order by last_activity_at desc, id collate "C" desc limit ${limit}`;
  return [...rows];
}

/**
 * Returns a subquery for the ids of the projects that the account sees, to be put in parentheses
 * after `in`.
 */
export function projectsSeenBy(sql: Sql, accountId: string): Fragment {
  return sql`
    select projects.id from projects
      join memberships on memberships.organization_id = projects.organization_id
        and memberships.account_id = ${accountId}
      left join project_members on project_members.project_id = projects.id
        and project_members.account_id = ${accountId}
    where memberships.role <> 'member' or projects.visibility = 'public' or project_members.tier is not null`;
}

export async function readChatSessionsOfProject(
  sql: Sql,
  accountId: string,
  filter: { readonly status: StoredChatSession['status']; readonly projectId: string },
  { limit, after }: PageRequest,
): Promise<StoredChatSession[]> {
  const rows = await sql<StoredChatSession[]>`
    select ${columns(sql)} from chat_sessions
    where project_id = ${filter.projectId} and status = ${filter.status}
      and (account_id = ${accountId} or visibility = 'project') ${before(sql, after)}
    order by last_activity_at desc, id collate "C" desc limit ${limit}`;
  return [...rows];
}

/** Finds a session that belongs to the caller or is shared with its project. */
export async function findChatSession(
  sql: Sql,
  accountId: string,
  projectId: string,
  id: string,
): Promise<StoredChatSession | undefined> {
  const [row] = await sql<StoredChatSession[]>`
    select ${columns(sql)} from chat_sessions
    where id = ${id} and project_id = ${projectId} and (account_id = ${accountId} or visibility = 'project')`;
  return row;
}

/** Returns those of the newest visible sessions that may contain the text to search for. */
export async function readChatsThatMaySay(
  sql: Sql,
  accountId: string,
  filter: { readonly status: StoredChatSession['status']; readonly projectId: string },
  spelled: string,
  bounds: SearchBounds,
): Promise<StoredChatSession[]> {
  const newest = await readChatSessionsOfProject(sql, accountId, filter, { limit: bounds.traces });
  const ids = newest.map(({ id }) => id);
  // A separate statement searches the long texts, so that they are searched only once.
  const found = await sql<{ sessionId: string }[]>`
    with measured as materialized (
      select turn.id, session_id, sum(octet_length(messages)) over (order by position, turn.id) as bytes
      from unnest(${ids}::text[]) with ordinality as newest (id, position)
      join chat_turns turn on session_id = newest.id)
    select distinct measured.session_id from measured join chat_turns using (id)
    where bytes <= ${bounds.bytes} and strpos(lower(messages), lower(${spelled})) > 0`;
  const says = new Set(found.map(({ sessionId }) => sessionId));
  return newest.filter(({ id }) => says.has(id));
}

/**
 * Reads the messages of a session for a search. Everything that looks like a secret is left out.
 */
export async function readChatMessages(sql: Sql, sessionId: string): Promise<readonly unknown[]> {
  const turns = await sql<{ messages: string }[]>`
    select messages from chat_turns where session_id = ${sessionId} order by ordinal, lane`;
  return turns.flatMap(({ messages }) =>
    readRecords(messages).map(({ role, text }) => ({
      role,
      content: withoutSecretShapes(String(text)),
    })),
  );
}

export interface NewChatSession
  extends Pick<
    StoredChatSession,
    'id' | 'projectId' | 'accountId' | 'title' | 'visibility' | 'targetKind' | 'targetId'
  > {
  readonly organizationId: string;
}

export async function insertChatSession(sql: Sql, chat: NewChatSession): Promise<void> {
  await sql`
    insert into chat_sessions (id, organization_id, project_id, account_id, title, status, visibility, target_kind,
      target_id)
    values (${chat.id}, ${chat.organizationId}, ${chat.projectId}, ${chat.accountId}, ${chat.title}, 'active',
      ${chat.visibility}, ${chat.targetKind}, ${chat.targetId})`;
}

export async function changeChatSession(
  sql: Sql,
  id: string,
  change: Partial<Pick<StoredChatSession, 'title' | 'visibility' | 'status'>>,
): Promise<void> {
  const { title = null, visibility = null, status = null } = change;
  await sql`
    update chat_sessions set title = coalesce(${title}, title), visibility = coalesce(${visibility}, visibility),
      status = coalesce(${status}, status)
    where id = ${id}`;
}

export async function removeChatSession(sql: Sql, id: string): Promise<void> {
  await sql`delete from chat_sessions where id = ${id}`;
}

function columns(sql: Sql): Fragment {
  return sql`id, project_id, account_id, title, status, visibility, created_at, last_activity_at, target_kind, target_id,
    model_id, message_count, tool_call_count, preview`;
}

function before(sql: Sql, after: PageRequest['after']): Fragment {
  return after
    ? sql`and (last_activity_at, id collate "C") < (${new Date(after.order)}, ${after.id})`
    : sql``;
}
