import {
  cutPage,
  mayManageRole,
  type OrganizationRole,
  type Page,
  type PageRequest,
} from '@proofmark/domain';
import type { Database, Fragment, Sql } from '../../database/database.ts';

export interface StoredInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: OrganizationRole;
  /** The e-mail address of the inviter; null if the operator sent the invitation. */
  readonly invitedBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
}

export interface OpenInvitation
  extends Pick<StoredInvitation, 'id' | 'email' | 'role' | 'expiresAt'> {
  readonly organizationName: string;
}

/** Stores an invitation, which replaces an earlier one for the same address. */
export async function replaceInvitation(
  sql: Sql,
  invitation: {
    readonly id: string;
    readonly tokenHash: Buffer;
    readonly organizationId: string;
    readonly email: string;
    readonly role: OrganizationRole;
    readonly invitedBy: string | null;
    readonly lifetimeMs: number;
  },
): Promise<StoredInvitation> {
  const { organizationId, email } = invitation;
  await sql`
    insert into invitations (id, token_hash, organization_id, email, role, invited_by, expires_at)
    values (${invitation.id}, ${invitation.tokenHash}, ${organizationId}, ${email}, ${invitation.role},
      ${invitation.invitedBy}, now() + ${`${invitation.lifetimeMs} milliseconds`}::interval)
    on conflict (organization_id, email) do update set id = excluded.id, token_hash = excluded.token_hash,
      role = excluded.role, invited_by = excluded.invited_by, created_at = now(), expires_at = excluded.expires_at`;
  const [made] = await sql<StoredInvitation[]>`
    ${invitations(sql, organizationId)} and invitations.id = ${invitation.id}`;
  return made as StoredInvitation;
}

export async function readInvitations(
  sql: Sql,
  organizationId: string,
  page: PageRequest,
): Promise<Page<StoredInvitation>> {
  const rows = await sql<StoredInvitation[]>`
    ${invitations(sql, organizationId)}
      ${page.after ? sql`and (invitations.created_at, invitations.id) < (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by invitations.created_at desc, invitations.id desc limit ${page.limit + 1}`;
  return cutPage(rows, page.limit, (row) => ({ order: row.createdAt.getTime(), id: row.id }));
}

function invitations(sql: Sql, organizationId: string): Fragment {
  return sql`
    select invitations.id, invitations.email, role, accounts.email as invited_by,
      invitations.created_at, expires_at, expires_at <= now() as is_expired
    from invitations left join accounts on accounts.id = invited_by
    where organization_id = ${organizationId}`;
}

/**
 * Returns the invited role and locks it until the transaction ends; undefined if the invitation has
 * expired.
 */
export async function lockInvitedRole(
  sql: Sql,
  organizationId: string,
  by: { readonly email: string } | { readonly id: string },
): Promise<OrganizationRole | undefined> {
  const [row] = await sql<{ role: OrganizationRole }[]>`
    select role from invitations where organization_id = ${organizationId} and expires_at > now()
      and ${'id' in by ? sql`id = ${by.id}` : sql`email = ${by.email}`} for update`;
  return row?.role;
}

export async function deleteInvitation(
  sql: Sql,
  organizationId: string,
  invitationId: string,
): Promise<{ email: string } | undefined> {
  const [row] = await sql<{ email: string }[]>`
    delete from invitations where organization_id = ${organizationId} and id = ${invitationId}
    returning email`;
  return row;
}

export async function findInvitedOrganization(
  { sql }: Database,
  tokenHash: Buffer,
): Promise<string | undefined> {
  const [row] = await sql<{ organizationId: string | null }[]>`
    select organization_of_invitation(${tokenHash}) as organization_id`;
  return row?.organizationId ?? undefined;
}

/**
 * Returns the invitation; undefined if it has expired. It is locked until the transaction ends, so
 * that it is accepted only once. The inviter's present role counts: an invitation to a role to
 * which the inviter may no longer invite is not returned.
 */
export async function lockInvitation(
  sql: Sql,
  tokenHash: Buffer,
): Promise<OpenInvitation | undefined> {
  const [row] = await sql<
    (OpenInvitation & { byOperator: boolean; makerRole: OrganizationRole | null })[]
  >`
    select id, email, invitations.role, expires_at, invited_by is null as by_operator,
      (select name from organizations where organizations.id = organization_id) as organization_name, (
        select memberships.role from memberships join accounts on accounts.id = account_id
        where memberships.organization_id = invitations.organization_id and account_id = invited_by
          and disabled_at is null) as maker_role
    from invitations where token_hash = ${tokenHash} and expires_at > now() for update`;
  if (row === undefined) return undefined;
  const { byOperator, makerRole, ...invitation } = row;
  const stands = byOperator || (makerRole !== null && mayManageRole(makerRole, row.role));
  return stands ? invitation : undefined;
}
