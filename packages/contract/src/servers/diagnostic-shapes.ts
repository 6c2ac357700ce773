import {
  doctorCheckStates,
  doctorConnectionStates,
  doctorStatuses,
  eras,
  protocolRevisions,
  revisionRules,
  revisionStates,
  unseenCharacterProblem,
} from '@proofmark/domain';
import * as z from 'zod';
import { excludedTools } from '../catalog/excluded-tool.ts';
import { WidgetsTestable } from '../catalog/widgets-testable.ts';
import { Id, nextCursor, pageOf } from '../fields.ts';

/**
 * The client whose role the service plays in the call. Published API clients do not send this
 * field.
 */
const asClient = {
  clientId: z.string().min(1).max(200).optional().meta({
    description:
      'The id or the name of the client of the project as which the service connects: with its headers, timeout, declared capabilities, protocol version, paging and tool visibility.',
  }),
};

/** An empty object, which many clients send instead of no body. */
export const NoInput = z.strictObject({}).meta({ id: 'NoInput' });

export const DiagnosticRequest = z.strictObject(asClient).meta({ id: 'DiagnosticRequest' });

export const McpListRequest = z
  .strictObject({
    ...asClient,
    cursor: z
      .string()
      .min(1)
      .max(8192)
      .optional()
      .meta({ description: 'The nextCursor of the previous page, as the server sent it.' }),
  })
  .meta({ id: 'McpListRequest' });

const open = z.record(z.string(), z.unknown());

export const Tool = z
  .looseObject({
    name: z.string(),
    description: z.string().optional(),
    inputSchema: open.optional(),
    outputSchema: open.optional(),
  })
  .meta({ id: 'Tool', description: 'A tool as the server describes it.' });
export type Tool = z.infer<typeof Tool>;

export const Prompt = z
  .looseObject({
    name: z.string(),
    description: z.string().optional(),
    arguments: z
      .array(
        z.looseObject({
          name: z.string(),
          description: z.string().optional(),
          required: z.boolean().optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'Prompt', description: 'A prompt as the server describes it.' });
export type Prompt = z.infer<typeof Prompt>;

export const Resource = z
  .looseObject({
    uri: z.string(),
    name: z.string().optional(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
  })
  .meta({ id: 'Resource', description: 'A resource as the server describes it.' });
export type Resource = z.infer<typeof Resource>;

export const ResourceTemplate = z
  .looseObject({
    uriTemplate: z.string(),
    name: z.string().optional(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
  })
  .meta({ id: 'ResourceTemplate', description: 'A resource template as the server describes it.' });
export type ResourceTemplate = z.infer<typeof ResourceTemplate>;

export const ToolPage = z
  .object({ items: z.array(Tool), nextCursor, excludedTools })
  .meta({ id: 'ToolPage' });
export const PromptPage = pageOf(Prompt, 'PromptPage');
export const ResourcePage = pageOf(Resource, 'ResourcePage');
export const ResourceTemplatePage = pageOf(ResourceTemplate, 'ResourceTemplatePage');

export const CallToolRequest = z
  .strictObject({
    ...asClient,
    toolName: z.string().min(1).max(512),
    parameters: open.optional(),
  })
  .meta({ id: 'CallToolRequest' });

export const OutputCheck = z
  .object({
    state: z.enum(['valid', 'invalid', 'notValidated']),
    message: z.string().optional(),
  })
  .meta({
    id: 'OutputCheck',
    description:
      'Whether structuredContent satisfies the outputSchema of the tool; notValidated if the schema is too large or cannot be checked in linear time.',
  });

export const CallToolResult = z
  .looseObject({
    content: z.array(z.looseObject({})),
    structuredContent: z.unknown().optional(),
    isError: z.boolean().optional(),
    durationMs: z
      .number()
      .meta({ description: 'The time from sending the call until its result arrived.' }),
    outputCheck: OutputCheck.optional().meta({
      description: 'Only if the tool has an outputSchema.',
    }),
  })
  .meta({
    id: 'CallToolResult',
    description:
      'The MCP result as the server sent it, with durationMs and outputCheck added; fields with these names from the server are omitted.',
  });

export const GetPromptRequest = z
  .strictObject({
    ...asClient,
    promptName: z.string().min(1).max(512),
    arguments: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .meta({ description: 'Numbers and booleans are sent as text, as MCP requires.' }),
  })
  .meta({ id: 'GetPromptRequest' });

export const GetPromptResult = z
  .looseObject({
    description: z.string().optional(),
    messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  })
  .meta({ id: 'GetPromptResult', description: 'The MCP result as the server sent it.' });

export const ReadResourceRequest = z
  .strictObject({ ...asClient, uri: z.string().min(1).max(8192) })
  .meta({ id: 'ReadResourceRequest' });

export const ResourceContents = z
  .looseObject({ contents: z.array(z.looseObject({ uri: z.string() })) })
  .meta({ id: 'ResourceContents', description: 'The MCP result as the server sent it.' });

export const InitInfo = z
  .looseObject({
    protocolVersion: z.string(),
    transport: z.enum(['streamable-http', 'sse', 'stdio']),
    serverCapabilities: open,
    serverVersion: open.nullable(),
    instructions: z.string().optional(),
    clientCapabilities: open,
  })
  .meta({
    id: 'InitInfo',
    description: 'The data of the initialization between service and server.',
  });

export const ValidateResult = z
  .object({
    success: z.literal(true),
    status: z.literal('connected'),
    initInfo: InitInfo.nullable(),
  })
  .meta({ id: 'ValidateResult' });

export const CheckOAuthResult = z
  .object({ useOAuth: z.boolean(), serverUrl: z.string().nullable() })
  .meta({ id: 'CheckOAuthResult' });

export const DoctorCheck = z
  .object({
    status: z.enum(doctorCheckStates),
    detail: z.string(),
    durationMs: z.number().optional(),
    tried: z.string().optional().meta({ description: 'The attempted request and its address.' }),
    advice: z.string().optional().meta({ description: 'One sentence with the next step.' }),
  })
  .meta({ id: 'DoctorCheck' });

const revisions = z
  .array(
    z.object({
      revision: z.enum(protocolRevisions),
      era: z.enum(eras),
      state: z.enum(revisionStates).meta({
        description:
          'spoken: the server answers at this revision, without problems. refused: it does not speak it. broken: it answers, but with problems, or as detail says. A server that is broken here may still be ready.',
      }),
      detail: z.string(),
      problems: z.array(
        z.object({ rule: z.enum(revisionRules), method: z.string(), message: z.string() }),
      ),
    }),
  )
  .optional()
  .meta({
    description:
      'An addition of Proofmark beyond the specification: the revisions of MCP, newest first. Empty if nothing could be asked, because the server was not reached or wants credentials.',
  });

export const DoctorReport = z
  .looseObject({
    generatedAt: z.iso.datetime(),
    status: z.enum(doctorStatuses),
    probe: open.nullable(),
    connection: z.object({ status: z.enum(doctorConnectionStates), detail: z.string() }),
    initInfo: InitInfo.nullable(),
    capabilities: open.nullable(),
    tools: z.array(Tool),
    excludedTools,
    resources: z.array(Resource),
    resourceTemplates: z.array(ResourceTemplate),
    prompts: z.array(Prompt),
    revisions,
    checks: z.object({
      probe: DoctorCheck,
      connection: DoctorCheck,
      initialization: DoctorCheck,
      capabilities: DoctorCheck,
      tools: DoctorCheck,
      resources: DoctorCheck,
      resourceTemplates: DoctorCheck,
      prompts: DoctorCheck,
    }),
    error: z
      .object({ code: z.string(), message: z.string(), details: z.unknown().optional() })
      .nullable(),
    widgets: z
      .object({ ...WidgetsTestable.shape, tools: z.array(z.string()) })
      .optional()
      .meta({
        description:
          'An addition of Proofmark beyond the specification: the tools that name a widget, and whether widgets can be tested here. Absent if no tool names one.',
      }),
  })
  .meta({ id: 'DoctorReport' });
export type DoctorReport = z.infer<typeof DoctorReport>;

export const ExportSnapshot = z
  .object({
    serverId: Id,
    exportedAt: z.iso.datetime(),
    tools: z.array(Tool),
    excludedTools,
    resources: z.array(Resource),
    resourceTemplates: z.array(ResourceTemplate),
    prompts: z.array(Prompt),
    toolSurfaceHash: z.string().meta({
      description: 'The SHA-256 of the tools in canonical form, independent of their order.',
    }),
  })
  .meta({ id: 'ExportSnapshot' });

const Secret = z.string().min(1).max(65_536).meta({ format: 'password' });

const Address = z
  .string()
  .min(1)
  .max(2048)
  .superRefine((text, context) => {
    const message = unseenCharacterProblem(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

export const ImportTokensRequest = z
  .strictObject({
    serverUrl: Address,
    oauthResourceUrl: Address.optional(),
    clientInformation: z
      .strictObject({ clientId: z.string().min(1).max(512), clientSecret: Secret.optional() })
      .optional(),
    tokens: z.object({
      access_token: Secret,
      refresh_token: Secret.optional(),
      expires_in: z.number().nonnegative().finite().optional(),
      token_type: z.string().max(64).optional(),
      scope: z.string().max(8192).optional(),
      id_token: Secret.optional(),
    }),
  })
  .meta({
    id: 'ImportTokensRequest',
    description:
      'serverUrl must be the saved URL, so that tokens are never sent to another server.',
  });

export const ImportTokensResult = z
  .object({
    imported: z.literal(true),
    expiresAt: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'null if the token does not state it.' }),
  })
  .meta({ id: 'ImportTokensResult' });
