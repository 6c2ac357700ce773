/**
 * Handles unproven accounts, to which another person may have access. That person has accepted the
 * invitation that created the account, or has created a sign-in link for it as an owner or admin.
 * All such access ends when the address is first proven. Before an unproven account gains rights in
 * an organization, access that could reach that organization ends.
 */
import type { Sql } from '../../database/database.ts';
import { type AuditActor, insertAccountLine, insertAuditLine } from './audit-log.ts';

export async function markUnproven(sql: Sql, accountId: string): Promise<void> {
  await sql`update accounts set address_proven = false where id = ${accountId}`;
}

/**
 * Marks the address of an account as proven, because the operator vouches for it or an identity
 * provider has verified it.
 */
export async function proveAddress(sql: Sql, accountId: string, actor: AuditActor): Promise<void> {
  if (!(await lockUnproven(sql, accountId))) return;
  await sql`update accounts set address_proven = true where id = ${accountId}`;
  await endWhatOpens(sql, accountId, actor, {});
}

/**
 * Ends all access to an unproven account that reaches this organization: another person may hold
 * it. Keys of other organizations stay, since they cannot reach this one.
 */
export async function endUnprovenIn(
  sql: Sql,
  organizationId: string,
  accountId: string,
  actor: AuditActor,
  keepSession?: Buffer,
): Promise<void> {
  if (!(await lockUnproven(sql, accountId))) return;
  await endWhatOpens(sql, accountId, actor, { organizationId, keepSession });
}

/**
 * Returns whether the account is unproven. The account is locked until the transaction ends, even
 * if it is proven, so that no link for it can be created in between.
 */
async function lockUnproven(sql: Sql, accountId: string): Promise<boolean> {
  const [account] = await sql<{ addressProven: boolean }[]>`
    select address_proven from accounts where id = ${accountId} for no key update`;
  return account?.addressProven === false;
}

async function endWhatOpens(
  sql: Sql,
  accountId: string,
  actor: AuditActor,
  only: { readonly organizationId?: string; readonly keepSession?: Buffer | undefined },
): Promise<void> {
  const { organizationId, keepSession } = only;
  await sql`update accounts set password_hash = null, updated_at = now() where id = ${accountId}`;
  await sql`
    delete from sessions where account_id = ${accountId}
      ${keepSession === undefined ? sql`` : sql`and token_hash <> ${keepSession}`}`;
  await sql`delete from sign_in_links where account_id = ${accountId}`;
  const keys = await sql<{ id: string; organizationId: string | null }[]>`
    update api_keys set revoked_at = now() where account_id = ${accountId} and revoked_at is null
      ${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
    returning id, organization_id`;
  await insertAccountLine(sql, accountId, actor, 'account.credentialsEnded');
  for (const key of keys) {
    const where = { organizationId: key.organizationId, projectId: null, subjectId: key.id };
    await insertAuditLine(sql, { ...actor, ...where, action: 'apiKey.revoked', details: null });
  }
}
