import { ClientConfig, environmentConflicts } from '@proofmark/domain';
import * as z from 'zod';
import { Description, Id, Instant, Name, pageOf } from '../fields.ts';

const Revision = z.number().int().min(0);
const ModelId = z.string().trim().min(1, 'modelId must not be blank.').max(256);

export const EnvironmentSkillSelection = z
  .strictObject({
    mode: z.literal('explicit'),
    skillIds: z.array(Id).min(1, 'An empty list is not allowed; null clears.').max(200),
  })
  .meta({ id: 'EnvironmentSkillSelection' });

const PluginVersionIds = z.array(Id).min(1, 'An empty list is not allowed; null clears.').max(100);

export const ProjectEnvironment = z
  .object({
    id: Id,
    projectId: Id,
    name: z.string(),
    adhoc: z.literal(true).optional().meta({
      description:
        'An addition of Proofmark beyond the specification: nobody has named it yet, and name is what it is shown as.',
    }),
    description: z.string().optional(),
    hostId: Id.meta({ description: 'The client it runs.' }),
    serverAttachmentId: Id.optional(),
    modelId: z.string().optional(),
    skillSelection: EnvironmentSkillSelection.optional(),
    pluginVersionIds: z.array(Id).optional(),
    sandboxImageId: z.string().optional(),
    revision: Revision,
    archived: z.boolean(),
    archivedAt: Instant.optional(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'ProjectEnvironment', description: 'What a run runs in.' });
export type ProjectEnvironment = z.infer<typeof ProjectEnvironment>;

export const ProjectEnvironmentPage = pageOf(ProjectEnvironment, 'ProjectEnvironmentPage');

const writable = {
  name: Name,
  description: Description,
  hostId: Id,
  serverAttachmentId: Id,
  modelId: ModelId,
  skillSelection: EnvironmentSkillSelection,
  pluginVersionIds: PluginVersionIds,
  sandboxImageId: z.string().trim().min(1).max(256),
};

export const ProjectEnvironmentCreateRequest = z
  .strictObject(writable)
  .partial()
  .required({ name: true, hostId: true })
  .meta({ id: 'ProjectEnvironmentCreateRequest' });

export const AdhocEnvironment = ProjectEnvironment.extend({
  name: z.null(),
  adhoc: z.literal(true),
}).meta({ id: 'AdhocEnvironment', description: 'An environment that nobody has named.' });

export const AdhocEnvironmentRequest = z
  .strictObject(writable)
  .omit({ name: true, description: true })
  .partial()
  .required({ hostId: true })
  .meta({ id: 'AdhocEnvironmentRequest' });

export const AdhocEnvironmentEnsured = z
  .object({
    environment: AdhocEnvironment,
    created: z.boolean().meta({ description: 'Whether it was made by this call.' }),
  })
  .meta({ id: 'AdhocEnvironmentEnsured' });

export const EnvironmentNameRequest = z
  .strictObject({
    expectedRevision: Revision,
    name: writable.name,
    description: writable.description.optional(),
  })
  .meta({ id: 'EnvironmentNameRequest' });

export const ProjectEnvironmentCapabilities = z
  .object({
    modelOverrides: z.boolean().meta({
      description: 'Whether an environment may state a model in place of its client’s.',
    }),
    modelMatrix: z.boolean().meta({
      description: 'Whether one suite may be run under several models, one environment for each.',
    }),
  })
  .meta({ id: 'ProjectEnvironmentCapabilities' });

export const ProjectEnvironmentUpdateRequest = z
  .strictObject({
    ...writable,
    serverAttachmentId: writable.serverAttachmentId.nullable(),
    modelId: writable.modelId.nullable(),
    skillSelection: writable.skillSelection.nullable(),
    pluginVersionIds: writable.pluginVersionIds.nullable(),
    sandboxImageId: writable.sandboxImageId.nullable(),
    expectedRevision: Revision,
  })
  .partial()
  .required({ expectedRevision: true })
  .refine((body) => Object.keys(body).length > 1, {
    message: 'Send at least one field to change.',
  })
  .meta({
    id: 'ProjectEnvironmentUpdateRequest',
    description: 'What is left out stays; null clears. expectedRevision is the one last read.',
  });

export const ProjectEnvironmentRevisionRequest = z
  .strictObject({ expectedRevision: Revision })
  .meta({ id: 'ProjectEnvironmentRevisionRequest' });

export const ProjectEnvironmentResolved = z
  .object({
    environment: z.object({ id: Id, name: z.string(), revision: Revision }),
    hostId: Id,
    hostName: z.string(),
    hostConfigId: z.string(),
    config: ClientConfig,
    modelId: z
      .string()
      .optional()
      .meta({ description: 'Of the environment, where it states one.' }),
    effectiveModelId: z.string(),
    modelSource: z.enum(['environment', 'host']),
    serverAttachmentId: Id.optional(),
    sandboxImageId: z.string().optional(),
    selectedServerIds: z.array(Id),
    effectiveServerIds: z.array(Id).meta({ description: 'The closed set: these and no others.' }),
    pluginVersions: z.array(
      z.object({ pluginId: Id, pluginVersionId: Id, name: z.string(), bundleHash: z.string() }),
    ),
    skills: z.array(
      z.object({ skillId: Id, skillVersionId: Id, name: z.string(), contentHash: z.string() }),
    ),
    servers: z.array(z.object({ serverId: Id, name: z.string() })),
  })
  .meta({ id: 'ProjectEnvironmentResolved' });
export type ProjectEnvironmentResolved = z.infer<typeof ProjectEnvironmentResolved>;

export const EnvironmentConflict = z.enum(environmentConflicts).meta({
  id: 'EnvironmentConflict',
  description: 'details.code of the 409 of an environment that cannot be resolved.',
});
