/**
 * The config of a client (the program that talks to MCP servers for a person), as far as a test
 * depends on it: model, prompt, declared capabilities, connection settings and servers. Unknown
 * fields are rejected.
 */
import * as z from 'zod';
import { modelParameterFields } from '../models/model-parameters.ts';

const open = z.record(z.string(), z.unknown());
const Ids = z.array(z.string().min(1).max(128)).max(200);

const SkillSelection = z
  .discriminatedUnion('mode', [
    z
      .strictObject({ mode: z.literal('all-visible') })
      .meta({ id: 'ClientSkillSelectionAllVisible' }),
    z
      .strictObject({ mode: z.literal('explicit'), skillIds: Ids })
      .meta({ id: 'ClientSkillSelectionExplicit' }),
  ])
  .meta({ id: 'ClientSkillSelection' });

const McpProfile = z
  .strictObject({
    profileVersion: z.literal(1),
    mcpProtocolVersion: z.string().min(1).max(64).optional(),
    toolParamHeaderMirroring: z.enum(['mirror', 'omit']).optional(),
    paginationTraversal: z.enum(['full', 'firstPageOnly']).optional(),
    mrtrSupport: z.enum(['full', 'none']).optional(),
    resourceLinks: z.enum(['read', 'ignore']).optional().meta({
      description:
        'Whether the model can read the resources that tool results link to (default: ignore).',
    }),
    initialize: open.optional(),
    apps: open.optional(),
    extensions: open.optional(),
  })
  .meta({ id: 'McpProfile', description: 'The protocol settings of the client.' });

const RequestTimeout = z.number().int().min(1).max(600_000);

const ServerConnectionOverride = z
  .strictObject({
    headersOverride: z.record(z.string(), z.string().max(8192)).optional(),
    requestTimeoutOverride: RequestTimeout.optional(),
    mcpProtocolVersionOverride: z.string().min(1).max(64).optional(),
  })
  .meta({ id: 'ServerConnectionOverride' });

export const harnesses = ['claude-code', 'codex'] as const;

export const ClientConfig = z
  .strictObject({
    hostStyle: z.string().max(64).optional(),
    modelId: z.string().trim().min(1, 'modelId must not be blank.').max(256),
    systemPrompt: z.string().max(100_000).optional(),
    ...modelParameterFields,
    requireToolApproval: z.boolean().optional(),
    parallelToolCalls: z.boolean().optional().meta({
      description:
        'Whether the calls of one model answer are made in parallel (default: one after the other).',
    }),
    connectionDefaults: z
      .strictObject({
        headers: z.record(z.string(), z.string().max(8192)).optional(),
        requestTimeout: RequestTimeout.optional(),
      })
      .optional(),
    clientCapabilities: open.default({}),
    hostContext: open.default({}),
    serverIds: Ids.optional(),
    optionalServerIds: Ids.optional(),
    progressiveToolDiscovery: z.boolean().optional(),
    respectToolVisibility: z.boolean().optional(),
    harness: z.enum(harnesses).optional(),
    computer: z
      .strictObject({ kind: z.literal('personal'), workdir: z.string().max(1024).optional() })
      .nullable()
      .optional(),
    builtInToolIds: Ids.optional(),
    skillSelection: SkillSelection.optional(),
    modelVisibleMcpToolResults: open.optional(),
    mcpToolResultImageRendering: open.optional(),
    hostCapabilitiesOverride: open.optional(),
    chatUiOverride: open.optional(),
    mcpProfile: McpProfile.optional(),
    oauthProfile: open.optional(),
    serverConnectionOverrides: z.record(z.string().max(128), ServerConnectionOverride).optional(),
  })
  .meta({ id: 'ClientConfig', description: 'The settings of a client that matter in a test.' });

export type ClientConfig = z.infer<typeof ClientConfig>;
