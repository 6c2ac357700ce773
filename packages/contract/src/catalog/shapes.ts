import { organizationRoles, projectTiers, projectVisibilities } from '@proofmark/domain';
import * as z from 'zod';
import {
  atLeastOneField,
  Description,
  deletedShape,
  Id,
  Instant,
  Name,
  pageOf,
} from '../fields.ts';
import { WidgetsTestable } from './widgets-testable.ts';

export const Me = z
  .object({
    id: Id,
    email: z.string(),
    name: z.string(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Me', description: 'The account of the API key.' });

export const Organization = z
  .object({
    id: Id,
    name: z.string(),
    myRole: z.enum(organizationRoles),
    isCreator: z.boolean(),
    createdAt: Instant,
  })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof Organization>;

export const OrganizationPage = pageOf(Organization, 'OrganizationPage');

export const Project = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string().nullable(),
    icon: z.string().nullable(),
    organizationId: Id,
    visibility: z.enum(projectVisibilities),
    isDefault: z.boolean(),
    role: z.enum(projectTiers).meta({ description: 'The tier of the caller in the project.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

export const ProjectPage = pageOf(Project, 'ProjectPage');
export const ProjectDeleted = deletedShape('ProjectDeleted');

const Icon = z.string().max(64, 'An icon has at most 64 characters.');

export const ProjectCreateRequest = z
  .strictObject({
    name: Name,
    description: Description.optional(),
    organizationId: Id.optional(),
    icon: Icon.optional(),
    visibility: z.enum(projectVisibilities).optional(),
  })
  .meta({ id: 'ProjectCreateRequest' });

export const ProjectUpdateRequest = atLeastOneField(
  z.strictObject({
    name: Name.optional(),
    description: Description.optional(),
    icon: Icon.optional(),
    visibility: z.enum(projectVisibilities).optional(),
  }),
).meta({ id: 'ProjectUpdateRequest' });

export const ChatSession = z
  .object({
    id: Id,
    title: z.string().nullable(),
    status: z.enum(['active', 'archived']),
    projectId: Id,
    visibility: z.enum(['private', 'project']).meta({
      description: 'project: visible to everybody who can see the project.',
    }),
    lastActivityAt: Instant,
    createdAt: Instant,
    isPinned: z.boolean(),
    isUnread: z.boolean().meta({
      description:
        'True if another person was active in the session after the caller last opened it.',
    }),
  })
  .meta({ id: 'ChatSession' });

export const ChatSessionPage = pageOf(ChatSession, 'ChatSessionPage');

const Gate = z.object({ enabled: z.boolean() });

export const ProjectCapabilities = z
  .object({
    projectId: Id,
    organizationId: Id,
    role: z.enum(organizationRoles),
    projectRole: z.enum(projectTiers),
    surface: z.enum(['api', 'console']),
    features: z.object({
      sandboxes: z.object({
        enabled: z.boolean(),
        mode: z.enum(['off', 'dark', 'enforce']),
        enforced: z.boolean(),
      }),
      swarms: Gate,
      userTesting: Gate,
    }),
    widgets: WidgetsTestable,
    plan: z.object({
      name: z.string(),
      limits: z.record(z.string(), z.unknown()).meta({ description: 'null if there is no limit.' }),
      features: z.record(z.string(), z.unknown()),
      used: z.record(z.string(), z.number()).meta({
        description:
          "The use of each limit that can be used up: today's use of daily limits, and the last measured amount of stored data.",
      }),
      resetsAt: Instant.meta({ description: 'The time at which daily limits reset.' }),
    }),
    can: z.object({
      readSwarms: z.boolean(),
      readUserTesting: z.boolean(),
      writeSwarms: z.boolean(),
      launchJourneyRun: z.boolean(),
      cancelJourneyRun: z.boolean(),
      publishUserTestingScenario: z.boolean(),
      unpublishUserTestingScenario: z.boolean(),
      changeUserTestingExposure: z.boolean(),
      manageUserTestingGuestExecution: z.boolean(),
      requestInsights: z.boolean(),
      readEvals: z.boolean(),
      writeEvalSuites: z.boolean(),
      launchEvalRun: z.boolean(),
      deleteAnyEvalSuite: z.boolean(),
      deleteAnyEvalRun: z.boolean(),
      exportEvalTraces: z.boolean(),
    }),
  })
  .meta({
    id: 'ProjectCapabilities',
    description: 'For planning only. Every write enforces its own rules.',
  });
