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
        'An addition of Proofmark beyond the specification: true if the environment has no name of its own yet; name is then a generated label.',
    }),
    description: z.string().optional(),
    hostId: Id.meta({ description: 'The client of the environment.' }),
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
  .meta({
    id: 'ProjectEnvironment',
    description: 'A named choice of client, servers, skills and plugins for runs.',
  });
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
}).meta({ id: 'AdhocEnvironment', description: 'An environment without a name of its own.' });

export const AdhocEnvironmentRequest = z
  .strictObject(writable)
  .omit({ name: true, description: true })
  .partial()
  .required({ hostId: true })
  .meta({ id: 'AdhocEnvironmentRequest' });

export const AdhocEnvironmentEnsured = z
  .object({
    environment: AdhocEnvironment,
    created: z.boolean().meta({ description: 'True if this request created the environment.' }),
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
      description: 'Whether an environment may name a model that replaces the model of its client.',
    }),
    modelMatrix: z.boolean().meta({
      description: 'Whether one suite can run on several models, with one environment for each.',
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
    description:
      'Omitted fields keep their values; null clears. expectedRevision is the revision that was last read.',
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
    modelId: z.string().optional().meta({
      description: 'The model of the environment, or of its client if the environment names none.',
    }),
    effectiveModelId: z.string(),
    modelSource: z.enum(['environment', 'host']),
    serverAttachmentId: Id.optional(),
    sandboxImageId: z.string().optional(),
    selectedServerIds: z.array(Id),
    effectiveServerIds: z
      .array(Id)
      .meta({ description: 'The complete list: a run uses no other servers.' }),
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
  description: 'The value of details.code in the 409 for an environment that cannot be resolved.',
});
