import { isEmail, normalizeEmail } from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant } from '../fields.ts';
import { UserTestingScenario } from './scenario-shapes.ts';

const longestEmail = 320;

const Role = z.literal('chat');

export const ScenarioMemberRequest = z
  .strictObject({
    email: z
      .string()
      .transform(normalizeEmail)
      .refine((text) => text.length >= 3 && isEmail(text, longestEmail), {
        error: 'This is not an e-mail address.',
      })
      .meta({ description: 'Case is ignored.' }),
    sendInviteEmail: z.boolean().optional(),
    role: Role.optional(),
  })
  .meta({ id: 'ScenarioMemberRequest' });

export const InvitedScenarioMember = z
  .object({
    ...UserTestingScenario.shape,
    scenarioId: Id,
    email: z.string(),
    memberId: Id,
    role: Role,
    invited: z
      .boolean()
      .meta({ description: 'Whether a mail was sent. If not, send the link yourself.' }),
    inviteUrl: z.string().meta({
      description:
        'An addition of Proofmark beyond the specification. Returned only in this answer. It can be used once within seven days; a new invitation replaces it.',
    }),
  })
  .meta({ id: 'InvitedScenarioMember' });

export const ScenarioMember = z
  .object({
    id: Id,
    email: z.string(),
    role: Role,
    invitedAt: Instant,
    acceptedAt: Instant.nullable().meta({
      description: 'The time at which the address was first verified.',
    }),
  })
  .meta({ id: 'ScenarioMember' });
export type ScenarioMember = z.infer<typeof ScenarioMember>;

export const ScenarioMemberList = z
  .object({ items: z.array(ScenarioMember) })
  .meta({ id: 'ScenarioMemberList' });

export const ScenarioMemberRemoved = z
  .object({
    scenarioId: Id,
    projectId: Id,
    removed: z
      .string()
      .meta({ description: 'The removed member, by the id or the address in the path.' }),
    stillReachable: z.literal(true).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: true if the link is open to everybody, so that the person can still use it.',
    }),
  })
  .meta({ id: 'ScenarioMemberRemoved' });
