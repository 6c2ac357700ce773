import * as z from 'zod';
import { Description, deletedShape, Id, Instant, Name, pageOf } from '../fields.ts';

const Component = z.object({ componentId: Id, componentKey: z.string(), declaredName: z.string() });

export const PluginVersion = z
  .object({
    id: Id,
    pluginId: Id,
    declaredVersion: z.string().optional(),
    bundleHash: z.string(),
    status: z.enum(['staging', 'ready', 'invalid']),
    componentCounts: z.object({
      skills: z.number().int(),
      servers: z.number().int(),
      apps: z.number().int(),
      assets: z.number().int(),
      unsupported: z.number().int(),
    }),
    servers: z.array(
      Component.extend({
        placement: z.enum(['remote', 'local', 'computer']),
        authenticationPolicy: z.enum(['on_install', 'on_use']),
        materializedServerId: Id,
      }),
    ),
    skills: z.array(Component.extend({ modelRef: z.string(), materializedSkillId: Id })),
    createdAt: Instant,
    readyAt: Instant.optional(),
  })
  .meta({ id: 'PluginVersion', description: 'A fixed set of servers and skills.' });
export type PluginVersion = z.infer<typeof PluginVersion>;

const summary = {
  id: Id,
  projectId: Id,
  name: z.string(),
  displayName: z.string().optional(),
  description: z.string().optional(),
  enabled: z.boolean(),
  activeVersionId: Id.optional(),
  createdAt: Instant,
  updatedAt: Instant,
};

export const Plugin = z
  .object(summary)
  .meta({ id: 'Plugin', description: 'A bundle, by versions.' });
export type Plugin = z.infer<typeof Plugin>;
export const PluginPage = pageOf(Plugin, 'PluginPage');
export const PluginDeleted = deletedShape('PluginDeleted');
export const PluginDetail = z
  .object({ ...summary, versions: z.array(PluginVersion) })
  .meta({ id: 'PluginDetail' });
export type PluginDetail = z.infer<typeof PluginDetail>;

const contents = {
  declaredVersion: z.string().min(1).max(64).optional(),
  serverIds: z.array(Id).max(100).default([]),
  skillIds: z.array(Id).max(100).default([]),
};
const notEmpty = {
  message: 'A version holds at least one server or skill.',
  path: ['serverIds'],
};

export const PluginCreateRequest = z
  .strictObject({
    name: Name,
    displayName: Name.optional(),
    description: Description.optional(),
    ...contents,
  })
  .refine((body) => body.serverIds.length + body.skillIds.length > 0, notEmpty)
  .meta({ id: 'PluginCreateRequest' });

export const PluginVersionCreateRequest = z
  .strictObject(contents)
  .refine((body) => body.serverIds.length + body.skillIds.length > 0, notEmpty)
  .meta({ id: 'PluginVersionCreateRequest' });
