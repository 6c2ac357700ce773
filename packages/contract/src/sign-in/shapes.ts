import { longestPassword, organizationRoles } from '@proofmark/domain';
import * as z from 'zod';
import { Me } from '../catalog/shapes.ts';
import { Instant } from '../fields.ts';

const SignInMethods = z.object({ password: z.literal(true), oidc: z.boolean() });

export const SignedIn = z
  .object({
    signedIn: z.literal(true),
    account: Me,
    hasPassword: z.boolean(),
    operatesInstallation: z.boolean().meta({
      description: 'Whether the person may see data about the whole installation.',
    }),
    csrfToken: z
      .string()
      .meta({ description: 'Send it in the header X-CSRF-Token with every write.' }),
    methods: SignInMethods,
  })
  .meta({ id: 'SignedIn' });

export const SignedOut = z
  .object({ signedIn: z.literal(false), methods: SignInMethods })
  .meta({ id: 'SignedOut' });

export const Session = z.discriminatedUnion('signedIn', [SignedIn, SignedOut]);
export type Session = z.infer<typeof Session>;

const Password = z.string().min(1).max(longestPassword);

export const SignInRequest = z
  .strictObject({ email: z.string().min(1).max(254), password: Password })
  .meta({ id: 'SignInRequest' });

export const SignInLinkRequest = z
  .strictObject({ token: z.string().min(1).max(128) })
  .meta({ id: 'SignInLinkRequest' });

export const InvitationRead = z
  .object({
    organizationName: z.string(),
    email: z.string().meta({ description: 'The invited e-mail address.' }),
    role: z.enum(organizationRoles),
    expiresAt: Instant,
  })
  .meta({ id: 'InvitationRead' });

export const PasswordRequest = z
  .strictObject({ currentPassword: Password.optional(), newPassword: Password })
  .meta({ id: 'PasswordRequest' });
