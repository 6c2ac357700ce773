/**
 * Email addresses that were invited to a scenario. Only the hash of an invitation's one-time link
 * is stored.
 */
import type { SavedScenario, SavedScenarioMember } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';

export async function readScenarioMembers(
  sql: Sql,
  scenarioId: string,
): Promise<SavedScenarioMember[]> {
  return sql<SavedScenarioMember[]>`
    select ${memberColumns(sql)} from scenario_members
    where scenario_id = ${scenarioId} and revoked_at is null order by invited_at, id`;
}

/** Finds a member by id, or else by the address in lower case. */
export async function findScenarioMember(
  sql: Sql,
  scenarioId: string,
  idOrEmail: string,
): Promise<SavedScenarioMember | undefined> {
  const [row] = await sql<SavedScenarioMember[]>`
    select ${memberColumns(sql)} from scenario_members
    where scenario_id = ${scenarioId} and revoked_at is null
      and (id = ${idOrEmail} or email = ${idOrEmail.trim().toLowerCase()})
    order by id = ${idOrEmail} desc limit 1`;
  return row;
}

/**
 * Stores an invitation. An address that is already invited gets a new link, which invalidates the
 * earlier one.
 */
export async function storeInvitedMember(
  sql: Sql,
  scenario: Pick<SavedScenario, 'id' | 'organizationId' | 'projectId'>,
  member: {
    readonly id: string;
    readonly email: string;
    readonly invitedBy: string;
    readonly inviteHash: Buffer;
    readonly inviteLifetimeMs: number;
  },
): Promise<SavedScenarioMember & { readonly inviteExpiresAt: Date }> {
  const [row] = await sql<(SavedScenarioMember & { inviteExpiresAt: Date })[]>`
    insert into scenario_members (id, organization_id, project_id, scenario_id, email, invited_by, invite_hash,
      invite_expires_at)
    values (${member.id}, ${scenario.organizationId}, ${scenario.projectId}, ${scenario.id}, ${member.email},
      ${member.invitedBy}, ${member.inviteHash},
      clock_timestamp() + ${member.inviteLifetimeMs} * interval '1 millisecond')
    on conflict (scenario_id, email) where revoked_at is null do update set
      invite_hash = excluded.invite_hash, invite_expires_at = excluded.invite_expires_at
    returning ${memberColumns(sql)}, invite_expires_at`;
  return row as SavedScenarioMember & { inviteExpiresAt: Date };
}

/** Removes a member from the scenario and deletes the stored address. */
export async function markMemberRemoved(sql: Sql, memberId: string): Promise<void> {
  await sql`
    update scenario_members set revoked_at = clock_timestamp(), email = '', invite_hash = null,
      invite_expires_at = null
    where id = ${memberId}`;
}

/**
 * Removes all members of a scenario that is unpublished forever, because nobody could remove them
 * later.
 */
export async function markAllMembersRemoved(sql: Sql, scenarioId: string): Promise<void> {
  await sql`
    update scenario_members set revoked_at = clock_timestamp(), email = '', invite_hash = null,
      invite_expires_at = null
    where scenario_id = ${scenarioId} and revoked_at is null`;
}

export function memberColumns(sql: Sql): Fragment {
  return sql`id, scenario_id, email, role, account_id, visitor_id, invited_by, invited_at, accepted_at, revoked_at`;
}
