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
    disabledAt: Instant.nullable().meta({ description: 'Since when the account cannot sign in.' }),
    openSessions: z.int().meta({ description: 'Where the account is signed in now.' }),
    activeKeys: z.int().meta({ description: 'Keys of this organization that work.' }),
    tiers: z
      .array(z.object({ projectId: Id, projectName: z.string(), tier: z.enum(projectTiers) }))
      .meta({ description: 'What single projects granted them.' }),
  })
  .meta({ id: 'Member' });
export type Member = z.infer<typeof Member>;

export const MemberPage = pageOf(Member, 'MemberPage');

export const MemberUpdateRequest = z
  .strictObject({ role: Role })
  .meta({ id: 'MemberUpdateRequest' });

export const MemberTierRequest = z
  .strictObject({
    tier: z.enum(projectTiers).nullable().meta({ description: 'null takes the grant back.' }),
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
    url: z.string().meta({ description: 'Shown this once. Whoever has it can use it.' }),
    expiresAt: Instant,
  })
  .meta({ id: 'OneTimeLink' });
export type OneTimeLink = z.infer<typeof OneTimeLink>;

export const Invitation = z
  .object({
    id: Id,
    email: z.string(),
    role: Role,
    invitedBy: z.string().nullable().meta({ description: 'null where the operator did.' }),
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
      'Whether a mail with the link was handed over; never, where the operator set up none.',
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
