import {
  type AuditAction,
  auditActionWords,
  auditCallerKinds,
  auditKinds,
} from '@proofmark/domain';
import * as z from 'zod';
import { Id, Instant, pageOf } from '../fields.ts';

const actions = Object.keys(auditActionWords) as [AuditAction, ...AuditAction[]];
const text = z.string().optional();

export const AuditLogLine = z
  .object({
    id: z.int().meta({ description: 'Later entries have higher numbers.' }),
    at: Instant,
    action: z.enum(actions),
    subjectId: z.string(),
    subjectName: z.string().optional().meta({
      description: 'The current name of the subject. Absent if it has no name or was deleted.',
    }),
    actor: z.string().meta({
      description: 'An e-mail address, or the kind of another actor, such as the operator.',
    }),
    actorId: Id.nullable(),
    callerKind: z.enum(auditCallerKinds),
    projectId: Id.nullable(),
    projectName: z.string().optional().meta({
      description: 'The current name of the project. Absent if the project was deleted.',
    }),
    details: z
      .object({
        fields: z.array(z.string()).optional(),
        runId: text,
        suiteId: text,
        sourceId: text,
        projectId: text,
        email: text,
        role: text,
        formerRole: text,
        tier: text,
        mode: text,
        formerMode: text,
        environmentId: text,
        memberId: text,
        method: z.enum(['password', 'link', 'oidc', 'invitation']).optional(),
        address: text,
        provider: text,
        tool: text,
        scope: text,
        feature: text,
        quota: text,
        kept: text,
        removed: text,
        state: text,
        takenAt: text,
        migration: z.int().optional(),
      })
      .nullable(),
  })
  .meta({ id: 'AuditLogLine' });
export type AuditLogLine = z.infer<typeof AuditLogLine>;

export const AuditLogPage = pageOf(AuditLogLine, 'AuditLogPage');

const instantInQuery = z
  .string()
  .regex(/^\d{1,15}$/, 'A time is a number of milliseconds since 1970.')
  .transform(Number)
  .optional();

export const AuditLogQuery = z.strictObject({
  kind: z.enum(auditKinds).optional(),
  actor: z.string().trim().min(1).max(254).optional(),
  resource: z.string().trim().min(1).max(200).optional(),
  since: instantInQuery,
  until: instantInQuery,
});
