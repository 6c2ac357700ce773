import { ClientConfig, clientTemplateIds, isRecord } from '@proofmark/domain';
import * as z from 'zod';
import { atLeastOneField, deletedShape, Id, Instant, Name, pageOf } from '../fields.ts';

const ConfigId = z.string().min(1).max(128).meta({
  description:
    'Identifies the content: two configurations have the same id exactly if they are equal.',
});

const summary = {
  id: Id,
  name: z.string(),
  configId: ConfigId,
  modelId: z.string(),
  serverCount: z.number().int(),
  ownerScope: z.string().nullable(),
  hasComputer: z.boolean(),
  createdAt: Instant,
  updatedAt: Instant,
};

export const Client = z
  .object(summary)
  .meta({ id: 'Client', description: 'A client that talks to MCP servers.' });
export type Client = z.infer<typeof Client>;
export const ClientPage = pageOf(Client, 'ClientPage');

export const ClientImpact = z
  .object({
    liveEnvironmentCount: z.number().int(),
    scenarioAttachmentCount: z.number().int(),
    activeLegacyJourneyCount: z.number().int(),
  })
  .meta({ id: 'ClientImpact', description: 'The resources that an edit of this client affects.' });

export const ClientDetail = z
  .object({ ...summary, config: ClientConfig, impact: ClientImpact })
  .meta({ id: 'ClientDetail' });
export type ClientDetail = z.infer<typeof ClientDetail>;
export const ClientDeleted = deletedShape('ClientDeleted');

/**
 * A client configuration as a program sends it back after reading it. `id` and `schemaVersion` are
 * ignored, because only the service writes them.
 */
const SubmittedConfig = z.preprocess((value) => {
  if (!isRecord(value)) return value;
  const { id: _id, schemaVersion: _version, ...config } = value;
  return config;
}, ClientConfig);

export const ClientCreateRequest = z
  .strictObject({
    name: Name,
    template: z.enum(clientTemplateIds).optional(),
    theme: z.enum(['light', 'dark']).optional(),
    config: SubmittedConfig.optional(),
  })
  .refine((body) => (body.template === undefined) !== (body.config === undefined), {
    message: 'Send either template or config.',
  })
  .refine((body) => body.theme === undefined || body.template !== undefined, {
    message: 'theme is allowed only with template.',
    path: ['theme'],
  })
  .meta({ id: 'ClientCreateRequest' });

const settable = ClientConfig.shape;

export const ClientSet = atLeastOneField(
  z.strictObject({
    modelId: settable.modelId.optional(),
    systemPrompt: settable.systemPrompt.nullable(),
    temperature: settable.temperature.nullable(),
    topP: settable.topP.nullable(),
    maxTokens: settable.maxTokens.nullable(),
    seed: settable.seed.nullable(),
    reasoningEffort: settable.reasoningEffort.nullable(),
    requireToolApproval: settable.requireToolApproval.nullable(),
    parallelToolCalls: settable.parallelToolCalls.nullable(),
    connectionDefaults: settable.connectionDefaults.nullable(),
    respectToolVisibility: settable.respectToolVisibility.nullable(),
    progressiveToolDiscovery: settable.progressiveToolDiscovery.nullable(),
    harness: settable.harness.nullable(),
    computer: settable.computer.nullable(),
    builtInToolIds: settable.builtInToolIds.nullable(),
    skillSelection: settable.skillSelection.nullable(),
    modelVisibleMcpToolResults: settable.modelVisibleMcpToolResults.nullable(),
    mcpToolResultImageRendering: settable.mcpToolResultImageRendering.nullable(),
    mcpProfile: settable.mcpProfile.nullable(),
    hostCapabilitiesOverride: settable.hostCapabilitiesOverride.nullable(),
    chatUiOverride: settable.chatUiOverride.nullable(),
  }),
).meta({
  id: 'ClientSet',
  description:
    'Each field replaces the stored field as a whole; null clears it, except for modelId.',
});

export const ClientUpdateRequest = z
  .strictObject({
    name: Name.optional(),
    config: SubmittedConfig.optional(),
    set: ClientSet.optional(),
    expectedConfigId: ConfigId.optional(),
    expectedName: z.string().max(200).optional(),
    expectedImpact: ClientImpact.optional(),
  })
  .superRefine((body, context) => {
    const addIssue = (message: string, path: string[] = []) =>
      context.addIssue({ code: 'custom', message, path });
    if (body.name === undefined && body.config === undefined && body.set === undefined)
      addIssue('Send at least one of name, config and set.');
    if (body.config !== undefined && body.set !== undefined)
      addIssue('config replaces all fields, so it cannot be sent together with set.', ['set']);
    if ((body.config ?? body.set) !== undefined && body.expectedConfigId === undefined)
      addIssue(
        'A change of the config needs expectedConfigId, the id of the config as last read.',
        ['expectedConfigId'],
      );
    if (body.name !== undefined && body.expectedName === undefined)
      addIssue('A rename needs expectedName, the name as last read.', ['expectedName']);
  })
  .meta({ id: 'ClientUpdateRequest' });

export const ClientServersRequest = z
  .strictObject({
    serverIds: z.array(Id).max(200),
    optionalServerIds: z.array(Id).max(200).optional(),
    expectedConfigId: ConfigId,
  })
  .meta({ id: 'ClientServersRequest', description: 'Servers that the list omits are detached.' });

export const ClientDuplicateRequest = z
  .strictObject({ name: Name.optional() })
  .meta({ id: 'ClientDuplicateRequest' });

/** A client with its older field names, for programs that use the older paths. */
export const Host = z
  .object({
    id: Id,
    name: z.string(),
    hostConfigId: ConfigId,
    modelId: z.string(),
    serverCount: z.number().int(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Host' });
export const HostPage = pageOf(Host, 'HostPage');
export const HostDetail = z
  .object({ id: Id, name: z.string(), config: ClientConfig })
  .meta({ id: 'HostDetail' });
export const HostDeleted = deletedShape('HostDeleted');

export const HostUpdateRequest = atLeastOneField(
  z.strictObject({ name: Name.optional(), config: SubmittedConfig.optional() }),
).meta({ id: 'HostUpdateRequest' });

export const HostServersRequest = z
  .strictObject({
    serverIds: z.array(Id).max(200),
    optionalServerIds: z.array(Id).max(200).optional(),
  })
  .meta({ id: 'HostServersRequest' });
