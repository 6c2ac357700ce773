/**
 * A visitor grant is the right of one browser or account to talk in a scenario. Revoking a grant
 * also ends the sessions that began under it.
 */
import type { SavedScenario, SavedScenarioMember } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { closeSessionsWithoutGrant } from './visitor-sessions.ts';

export async function revokeAllGrants(sql: Sql, scenarioId: string): Promise<void> {
  await sql`
    update scenario_grants set revoked_at = clock_timestamp()
    where scenario_id = ${scenarioId} and revoked_at is null`;
  await closeSessionsWithoutGrant(sql, scenarioId);
}

/** Revokes the grants of visitors whom the current access mode of the scenario would not admit. */
export async function revokeGrantsOutside(
  sql: Sql,
  scenario: Pick<SavedScenario, 'id' | 'projectId' | 'mode'>,
): Promise<void> {
  if (scenario.mode === 'anyone_with_link') return;
  const invited =
    scenario.mode === 'invited_only'
      ? sql`exists (
          select from scenario_members as member left join accounts on accounts.id = scenario_grants.account_id
          where member.scenario_id = scenario_grants.scenario_id and member.revoked_at is null
            and (member.id = scenario_grants.member_id or member.visitor_id = scenario_grants.visitor_id
              or member.account_id = scenario_grants.account_id or member.email = accounts.email))`
      : sql`false`;
  await sql`
    update scenario_grants set revoked_at = clock_timestamp()
    where scenario_id = ${scenario.id} and revoked_at is null and not ${invited} and not exists (
      select from projects
      join memberships on memberships.organization_id = projects.organization_id
        and memberships.account_id = scenario_grants.account_id
      left join project_members on project_members.project_id = projects.id
        and project_members.account_id = memberships.account_id
      where projects.id = ${scenario.projectId}
        and (memberships.role <> 'member' or visibility = 'public' or project_members.tier is not null))`;
  await closeSessionsWithoutGrant(sql, scenario.id);
}

/**
 * Deletes grants whose browser record was deleted. The time of consent is also stored with each
 * session, so consent can still be proven.
 */
export async function deleteGrantsOfNobody(sql: Sql): Promise<{ readonly count: number }> {
  const { count } = await sql`
    delete from scenario_grants
    where visitor_id is not null and not exists (select from visitors where id = visitor_id)`;
  return { count };
}

/** Revokes every grant of the invited person: by invitation, browser, account or email address. */
export async function revokeGrantsOfMember(
  sql: Sql,
  member: Pick<SavedScenarioMember, 'id' | 'scenarioId' | 'email' | 'accountId' | 'visitorId'>,
): Promise<void> {
  await sql`
    update scenario_grants set revoked_at = clock_timestamp()
    where scenario_id = ${member.scenarioId} and revoked_at is null
      and (member_id = ${member.id} or visitor_id = ${member.visitorId} or account_id = ${member.accountId}
        or account_id in (select id from accounts where email = ${member.email}))`;
  await closeSessionsWithoutGrant(sql, member.scenarioId);
}
