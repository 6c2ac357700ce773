import { isEmail, normalizeEmail, organizationRoles, projectTiers } from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant, pageOf } from '../fields.ts';

const Role = z.enum(organizationRoles);

export const Member = z
  .object({
    accountId: Id,
    email: z.string(),
    name: z.string(),
    role: Role,
    isMe: z.boolean(),
    joinedAt: Instant,
    disabledAt: Instant.nullable().meta({
      description: 'The time since which the account is disabled.',
    }),
    openSessions: z
      .int()
      .meta({ description: 'The number of open console sessions of the account.' }),
    activeKeys: z.int().meta({ description: 'The number of valid keys of this organization.' }),
    tiers: z
      .array(z.object({ projectId: Id, projectName: z.string(), tier: z.enum(projectTiers) }))
      .meta({ description: 'The tiers of the member in single projects.' }),
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

export const MemberPage = pageOf(Member, 'MemberPage');

export const MemberUpdateRequest = z
  .strictObject({ role: Role })
  .meta({ id: 'MemberUpdateRequest' });

export const MemberTierRequest = z
  .strictObject({
    tier: z.enum(projectTiers).nullable().meta({ description: 'null removes the tier.' }),
  })
  .meta({ id: 'MemberTierRequest' });

export const MemberDisabledRequest = z
  .strictObject({ disabled: z.boolean() })
  .meta({ id: 'MemberDisabledRequest' });

export const MemberRemoved = z
  .object({ accountId: Id, removed: z.literal(true), revokedKeys: z.int() })
  .meta({ id: 'MemberRemoved' });

export const SessionsEnded = z
  .object({ accountId: Id, endedSessions: z.int() })
  .meta({ id: 'SessionsEnded' });

export const OneTimeLink = z
  .object({
    url: z.string().meta({
      description: 'Returned only in this answer. Everybody who has the link can use it.',
    }),
    expiresAt: Instant,
  })
  .meta({ id: 'OneTimeLink' });
export type OneTimeLink = z.infer<typeof OneTimeLink>;

export const Invitation = z
  .object({
    id: Id,
    email: z.string(),
    role: Role,
    invitedBy: z
      .string()
      .nullable()
      .meta({ description: 'null if the operator sent the invitation.' }),
    createdAt: Instant,
    expiresAt: Instant,
    isOpen: z.boolean().meta({ description: 'Whether the link still works.' }),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;

export const InvitationPage = pageOf(Invitation, 'InvitationPage');

export const InvitationMade = Invitation.extend({
  url: OneTimeLink.shape.url,
  mailed: z.boolean().meta({
    description:
      'Whether the mail server accepted a mail with the link; always false if the operator has not set up mail.',
  }),
}).meta({
  id: 'InvitationMade',
});

export const InvitationRequest = z
  .strictObject({
    email: z
      .string()
      .max(300)
      .transform(normalizeEmail)
      .refine(isEmail, 'This is not an e-mail address.'),
    role: Role.default('member'),
  })
  .meta({ id: 'InvitationRequest' });

export const InvitationWithdrawn = z
  .object({ id: Id, withdrawn: z.literal(true) })
  .meta({ id: 'InvitationWithdrawn' });
