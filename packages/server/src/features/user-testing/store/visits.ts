/**
 * Reads what decides about a person's access to a scenario: tier, invitation and grant. The
 * scenario is locked meanwhile, so no request is decided by rules that have just changed.
 */
import {
  type AdmissionFacts,
  type OrganizationRole,
  type ProjectTier,
  type ProjectVisibility,
  projectTier,
  type SavedScenario,
} from '@proofmark/domain';
import type { Database, Fragment, Sql } from '../../../platform/database/database.ts';
import { readScenarioRow, type ScenarioRow, scenarioColumns } from './scenarios.ts';
import type { VisitorIdentity } from './visitors.ts';

export interface Visit {
  readonly scenario: SavedScenario;
  readonly facts: AdmissionFacts;
  /**
   * The person's tier in the scenario's project. Undefined if the person cannot see the project.
   */
  readonly tier: ProjectTier | undefined;
  readonly grant: VisitGrant | undefined;
  readonly memberId: string | null;
}

export interface VisitGrant {
  readonly id: string;
  readonly consentVersion: string | null;
  readonly consentedAt: Date | null;
}

/** Returns undefined if the link is invalid. */
export async function organizationOfLink(
  database: Database,
  tokenHash: Buffer,
): Promise<string | undefined> {
  const [row] = await database.sql<{ found: string | null }[]>`
    select organization_of_scenario_link(${tokenHash}) as found`;
  return row?.found ?? undefined;
}

export async function organizationOfScenario(
  database: Database,
  scenarioId: string,
): Promise<string | undefined> {
  const [row] = await database.sql<{ found: string | null }[]>`
    select organization_of_scenario(${scenarioId}) as found`;
  return row?.found ?? undefined;
}

export async function readVisit(
  sql: Sql,
  wanted: { readonly scenarioId: string } | { readonly tokenHash: Buffer },
  identity: VisitorIdentity,
): Promise<Visit | undefined> {
  const which =
    'scenarioId' in wanted ? sql`id = ${wanted.scenarioId}` : sql`token_hash = ${wanted.tokenHash}`;
  const { accountId, email, visitorId } = idsOf(identity);
  // The lock needs its own statement: a single statement that waits for the lock would read all
  // other tables as they were before the wait.
  await sql`select from scenarios where ${which} for share`;
  const [row] = await sql<VisitRow[]>`
    select scenario.*, organizations.user_testing as is_feature_on, projects.visibility,
      memberships.role as organization_role, project_members.tier as granted_tier,
      live.id as grant_id, live.consent_version, live.consented_at, member.id as member_id
    from (select ${scenarioColumns(sql)} from scenarios where ${which}) as scenario
    join organizations on organizations.id = scenario.organization_id
    join projects on projects.id = scenario.project_id
    left join memberships on memberships.organization_id = scenario.organization_id
      and memberships.account_id = ${accountId}
    left join project_members on project_members.project_id = scenario.project_id
      and project_members.account_id = memberships.account_id
    left join scenario_grants as live on live.scenario_id = scenario.id and live.revoked_at is null
      and ${ofIdentity(sql, identity, sql`live.`)}
    left join lateral (
      select id from scenario_members where scenario_id = scenario.id and revoked_at is null
        and (visitor_id = ${visitorId} or account_id = ${accountId} or email = ${email})
      order by id limit 1) as member on true`;
  return row && visitOf(row);
}

function ofIdentity(sql: Sql, identity: VisitorIdentity, table: Fragment): Fragment {
  return identity.kind === 'account'
    ? sql`${table}account_id = ${identity.accountId}`
    : sql`${table}visitor_id = ${identity.visitorId}`;
}

function idsOf(identity: VisitorIdentity) {
  return identity.kind === 'account'
    ? { accountId: identity.accountId, email: identity.email.toLowerCase(), visitorId: null }
    : { accountId: null, email: null, visitorId: identity.visitorId };
}

interface VisitRow extends ScenarioRow {
  readonly isFeatureOn: boolean;
  readonly visibility: ProjectVisibility;
  readonly organizationRole: OrganizationRole | null;
  readonly grantedTier: ProjectTier | null;
  readonly grantId: string | null;
  readonly consentVersion: string | null;
  readonly consentedAt: Date | null;
  readonly memberId: string | null;
}

function visitOf({
  isFeatureOn,
  visibility,
  organizationRole,
  grantedTier,
  grantId,
  consentVersion,
  consentedAt,
  memberId,
  ...row
}: VisitRow): Visit {
  const { sealedToken: _, ...scenario } = readScenarioRow(row);
  const standing = organizationRole && { organizationRole, visibility, grantedTier };
  const tier = standing === null ? undefined : projectTier(standing);
  return {
    scenario,
    tier,
    memberId,
    grant: grantId === null ? undefined : { id: grantId, consentVersion, consentedAt },
    facts: {
      isPublished: scenario.unpublishedAt === null,
      isFeatureOn,
      mode: scenario.mode,
      accessVersion: scenario.accessVersion,
      isProjectMember: tier !== undefined,
      isInvited: memberId !== null,
      hasGrant: grantId !== null,
    },
  };
}

/**
 * Assigns the invitation to the person who opened its one-time link. Returns false for a used or
 * expired link.
 */
export async function acceptInvite(
  sql: Sql,
  scenarioId: string,
  inviteHash: Buffer,
  identity: VisitorIdentity,
): Promise<boolean> {
  const { accountId, visitorId } = idsOf(identity);
  const { count } = await sql`
    update scenario_members set accepted_at = clock_timestamp(), account_id = ${accountId},
      visitor_id = ${visitorId}, invite_hash = null, invite_expires_at = null
    where scenario_id = ${scenarioId} and invite_hash = ${inviteHash} and revoked_at is null
      and invite_expires_at > clock_timestamp()`;
  return count > 0;
}

/**
 * Assigns the invitation to the signed-in account, because the sign-in proved that the invited
 * address belongs to it.
 */
export async function noteMember(
  sql: Sql,
  memberId: string,
  identity: VisitorIdentity,
): Promise<void> {
  if (identity.kind !== 'account') return;
  await sql`
    update scenario_members set account_id = ${identity.accountId},
      accepted_at = coalesce(accepted_at, clock_timestamp())
    where id = ${memberId} and account_id is distinct from ${identity.accountId}`;
}

/** Returns the valid grant, and creates it if there is none. */
export async function ensureGrant(
  sql: Sql,
  { scenario, grant, memberId }: Visit,
  identity: VisitorIdentity,
  newId: string,
): Promise<VisitGrant> {
  if (grant !== undefined) return grant;
  const { accountId, visitorId } = idsOf(identity);
  await sql`
    insert into scenario_grants ${sql({
      id: newId,
      organization_id: scenario.organizationId,
      project_id: scenario.projectId,
      scenario_id: scenario.id,
      visitor_id: visitorId,
      account_id: accountId,
      member_id: memberId,
    })} on conflict do nothing`;
  const [row] = await sql<VisitGrant[]>`
    select id, consent_version, consented_at from scenario_grants as live
    where scenario_id = ${scenario.id} and revoked_at is null
      and ${ofIdentity(sql, identity, sql`live.`)}`;
  return row as VisitGrant;
}

export async function writeConsent(
  sql: Sql,
  grantId: string,
  version: string,
): Promise<{ readonly consentedAt: Date }> {
  const [row] = await sql<{ consentedAt: Date }[]>`
    update scenario_grants set consent_version = ${version},
      consented_at = case when consent_version = ${version} then consented_at else clock_timestamp() end
    where id = ${grantId} returning consented_at`;
  return row as { consentedAt: Date };
}
