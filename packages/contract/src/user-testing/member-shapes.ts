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
      .meta({ description: 'Compared without case.' }),
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
      .meta({ description: 'Whether a mail went out. Where it did not, pass the link on.' }),
    inviteUrl: z.string().meta({
      description:
        'An addition of Proofmark beyond the specification. Shown this once; works once, for seven days. A new one ends it.',
    }),
  })
  .meta({ id: 'InvitedScenarioMember' });

export const ScenarioMember = z
  .object({
    id: Id,
    email: z.string(),
    role: Role,
    invitedAt: Instant,
    acceptedAt: Instant.nullable().meta({ description: 'When the address was first proven.' }),
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
      .meta({ description: 'Who was removed, by the id or the address that the path named.' }),
    stillReachable: z.literal(true).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: anybody with the link gets in, so they do too.',
    }),
  })
  .meta({ id: 'ScenarioMemberRemoved' });
