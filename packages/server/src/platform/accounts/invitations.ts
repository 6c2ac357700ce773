/**
 * Invitations of new members. If the operator has configured mail, the link is sent by mail;
 * otherwise the inviter passes it on. Accepting creates an account for a new address. It never
 * signs anyone in to an existing account: the owner of that account must sign in.
 */
import { randomBytes } from 'node:crypto';
import {
  invitationLifetimeMs,
  makeId,
  mayManageRole,
  type OrganizationRole,
} from '@proofmark/domain';
import type { Database, Sql } from '../database/database.ts';
import type { ActingPerson } from './members.ts';
import { type StartedSession, startSessionIn } from './sessions.ts';
import { ensureAccount, findAccountSecrets } from './store/accounts.ts';
import { insertAuditLine } from './store/audit-log.ts';
import {
  deleteInvitation,
  findInvitedOrganization,
  lockInvitation,
  lockInvitedRole,
  type OpenInvitation,
  replaceInvitation,
  type StoredInvitation,
} from './store/invitations.ts';
import { findRole } from './store/members.ts';
import { addMember } from './store/organizations.ts';
import { endUnprovenIn } from './store/unproven.ts';
import { hashToken, newToken } from './token.ts';

export async function invite(
  sql: Sql,
  { actor, callerId }: ActingPerson,
  organizationId: string,
  wanted: { readonly email: string; readonly role: OrganizationRole },
): Promise<
  | { readonly problem: 'outside' | 'forbidden' | 'alreadyAMember' }
  | { readonly invitation: StoredInvitation; readonly token: string }
> {
  const { email, role } = wanted;
  const own = callerId === null ? undefined : await findRole(sql, organizationId, callerId);
  if (callerId !== null && own === undefined) return { problem: 'outside' };
  if (own !== undefined && !mayManageRole(own, role)) return { problem: 'forbidden' };
  const before = await lockInvitedRole(sql, organizationId, { email });
  if (!mayEnd(own, before)) return { problem: 'forbidden' };
  const account = await findAccountSecrets({ sql }, { email });
  if (account !== undefined && (await findRole(sql, organizationId, account.id)) !== undefined) {
    return { problem: 'alreadyAMember' };
  }
  const { token, hash } = newToken();
  const invitation = await replaceInvitation(sql, {
    id: makeId('invitation', Date.now(), randomBytes(10)),
    tokenHash: hash,
    organizationId,
    email,
    role,
    invitedBy: callerId,
    lifetimeMs: invitationLifetimeMs,
  });
  const where = { organizationId, projectId: null, subjectId: invitation.id };
  await insertAuditLine(sql, {
    ...actor,
    ...where,
    action: 'member.invited',
    details: { email, role },
  });
  return { invitation, token };
}

export async function withdraw(
  sql: Sql,
  { actor, callerId }: ActingPerson,
  organizationId: string,
  invitationId: string,
): Promise<{ readonly problem: 'outside' | 'forbidden' } | { readonly withdrawn: true }> {
  const own = callerId === null ? undefined : await findRole(sql, organizationId, callerId);
  if (callerId !== null && own === undefined) return { problem: 'outside' };
  const role = await lockInvitedRole(sql, organizationId, { id: invitationId });
  if (!mayEnd(own, role)) return { problem: 'forbidden' };
  const gone = await deleteInvitation(sql, organizationId, invitationId);
  if (gone === undefined) return { problem: 'outside' };
  await insertAuditLine(sql, {
    ...actor,
    organizationId,
    projectId: null,
    subjectId: invitationId,
    action: 'member.invitationWithdrawn',
    details: { email: gone.email },
  });
  return { withdrawn: true };
}

/**
 * `own` is the caller's role. A caller may withdraw an invitation only if this role may invite to
 * the invited role. The operator has no role (undefined) and may withdraw every invitation.
 */
function mayEnd(own: OrganizationRole | undefined, invited: OrganizationRole | undefined): boolean {
  return own === undefined || invited === undefined || mayManageRole(own, invited);
}

/**
 * Returns the details that the holder of a link may read before accepting; undefined if accepting
 * would be refused.
 */
export async function readInvitation(
  database: Database,
  token: string,
): Promise<OpenInvitation | undefined> {
  const hash = hashToken(token);
  const organizationId = await findInvitedOrganization(database, hash);
  if (organizationId === undefined) return undefined;
  return database.tenant([organizationId], (sql) => lockInvitation(sql, hash));
}

export type Acceptance =
  | { readonly accountId: string; readonly session: StartedSession | undefined }
  | { readonly refused: 'unknown' }
  | { readonly refused: 'signInFirst' | 'signOutFirst'; readonly email: string };

interface AcceptingSession {
  readonly accountId: string;
  readonly sessionHash: Buffer;
}

/**
 * Accepts an invitation. If the address of an existing account is not proven, other people may have
 * access to the account. Then its password, its other sessions, its sign-in links and its keys for
 * this organization end first.
 */
export async function acceptInvitation(
  database: Database,
  token: string,
  signedIn: AcceptingSession | undefined,
  address: string | null,
): Promise<Acceptance> {
  const hash = hashToken(token);
  const organizationId = await findInvitedOrganization(database, hash);
  if (organizationId === undefined) return { refused: 'unknown' };
  return database.tenant([organizationId], async (sql) => {
    const invitation = await lockInvitation(sql, hash);
    if (invitation === undefined) return { refused: 'unknown' };
    const { email, role } = invitation;
    const isNew = (await findAccountSecrets({ sql }, { email })) === undefined;
    if (isNew && signedIn !== undefined) return { refused: 'signOutFirst', email };
    const account = await ensureAccount(sql, { email, addressProven: false });
    const who = { accountId: account.id, accountEmail: email };
    const actor = { ...who, callerKind: 'session' } as const;
    if (!account.created) {
      if (account.id !== signedIn?.accountId) return { refused: 'signInFirst', email };
      const { sessionHash } = signedIn;
      await endUnprovenIn(sql, organizationId, account.id, actor, sessionHash);
    }
    await addMember(sql, organizationId, account.id, role);
    await deleteInvitation(sql, organizationId, invitation.id);
    await insertAuditLine(sql, {
      ...actor,
      organizationId,
      projectId: null,
      action: 'member.joined',
      subjectId: account.id,
      details: { role },
    });
    const way = { method: 'invitation', address } as const;
    const session = account.created ? await startSessionIn(sql, account.id, way) : undefined;
    return { accountId: account.id, session };
  });
}
