/**
 * Operations that call a saved server. A fault of the server is reported in the response, never as
 * an error of the service.
 */

import { WidgetAction } from '@proofmark/domain';
import * as z from 'zod';
import { LintReport } from '../eval-runs/surface-shapes.ts';
import { seenOfWidget } from '../eval-runs/widget-shapes.ts';
import { defineOperation } from '../operation.ts';
import * as shapes from './diagnostic-shapes.ts';

const open = z.record(z.string(), z.unknown());

const WidgetPreviewRequest = z
  .strictObject({
    clientId: z.string().min(1).max(200).optional().meta({
      description: 'The id or the name of the client of the project as which the service connects.',
    }),
    toolName: z.string().min(1).max(512),
    arguments: open
      .optional()
      .meta({ description: 'The arguments of the call whose result is shown.' }),
    result: open.meta({ description: 'The result of the tool, as callTool returns it.' }),
    actions: z.array(WidgetAction).max(20).optional().meta({
      description: 'Performed in order after the widget is shown, up to the first that fails.',
    }),
  })
  .meta({ id: 'WidgetPreviewRequest' });

const WidgetPreview = z
  .object({
    ...seenOfWidget,
    answers: z
      .array(z.object({ ok: z.boolean(), reason: z.string().nullable() }))
      .meta({ description: 'One entry for each action that was tried, in order.' }),
    pictures: z
      .array(
        z.object({
          afterAction: z
            .number()
            .int()
            .min(0)
            .nullable()
            .meta({ description: 'The index of the action; null for the first display.' }),
          width: z.number().int(),
          height: z.number().int(),
          png: z.string().meta({ description: 'The PNG, in base64.' }),
        }),
      )
      .meta({ description: 'At most 21 pictures and 8 MiB in all; passwords are covered.' }),
  })
  .meta({ id: 'WidgetPreview', description: 'Pictures and observations of the widget.' });

const tag = 'Server diagnostics';
const base = '/projects/{projectId}/servers/{serverId}';

const outbound = ['OAUTH_REQUIRED', 'SERVER_UNREACHABLE', 'TIMEOUT'] as const;
/**
 * Error codes of a call that plays the role of a client. CONFLICT means that several clients have
 * the given name.
 */
const asClient = [...outbound, 'CONFLICT'] as const;
const primitive = [...asClient, 'FEATURE_NOT_SUPPORTED'] as const;

export const validateServer = defineOperation({
  operationId: 'validateServer',
  surface: 'api',
  method: 'POST',
  path: `${base}/validate`,
  tag,
  summary: 'Connect to a server and read its capabilities',
  description: 'Connects, initializes, and returns what the server states about itself.',
  access: 'member',
  outbound: true,
  effect: 'reads',
  body: shapes.DiagnosticRequest,
  status: 200,
  output: shapes.ValidateResult,
  refusals: asClient,
});

export const runDoctor = defineOperation({
  operationId: 'runDoctor',
  surface: 'api',
  method: 'POST',
  path: `${base}/doctor`,
  tag,
  summary: 'Examine a server step by step',
  description:
    'Probe, connection, initialization, capabilities and the lists, each with its state, its duration, the attempted request and advice; then each revision of MCP. Faults of the server are part of the report, not errors of this request. With Accept: application/x-ndjson, each check is sent as a line as soon as it is done.',
  access: 'member',
  outbound: true,
  effect: 'reads',
  streams: true,
  body: shapes.DiagnosticRequest,
  status: 200,
  output: shapes.DoctorReport,
  refusals: asClient,
});

export const checkOAuth = defineOperation({
  operationId: 'checkOAuth',
  surface: 'api',
  method: 'POST',
  path: `${base}/check-oauth`,
  tag,
  summary: 'Check whether a server requires an OAuth grant',
  description: 'Calls the server without credentials; a stdio server never requires one.',
  access: 'member',
  outbound: true,
  effect: 'reads',
  body: shapes.NoInput,
  status: 200,
  output: shapes.CheckOAuthResult,
  refusals: outbound,
});

export const listTools = defineOperation({
  operationId: 'listTools',
  surface: 'api',
  method: 'POST',
  path: `${base}/tools`,
  tag,
  summary: 'List the tools of a server',
  description: 'One page as the server sends it; cursor and nextCursor are those of the server.',
  access: 'member',
  outbound: true,
  effect: 'reads',
  body: shapes.McpListRequest,
  status: 200,
  output: shapes.ToolPage,
  refusals: primitive,
});

export const lintServer = defineOperation({
  operationId: 'lintServer',
  surface: 'api',
  method: 'POST',
  path: `${base}/lint`,
  tag,
  summary: 'Lint the tools of a server',
  description:
    'An addition of Proofmark beyond the specification. Lists the tools of the server and reports names, descriptions and schemas that may mislead a model, joined to the failing trials of the newest run with this server.',
  access: 'member',
  outbound: true,
  effect: 'reads',
  body: shapes.DiagnosticRequest,
  status: 200,
  output: LintReport,
  refusals: primitive,
});

export const callTool = defineOperation({
  operationId: 'callTool',
  surface: 'api',
  method: 'POST',
  path: `${base}/tools/call`,
  tag,
  summary: 'Call a tool',
  description:
    'Returns the unchanged MCP result with durationMs. A result with isError is a success of this request. 422 with details.reason TOOL_EXCLUDED for a tool that clients must hide.',
  access: 'member',
  outbound: true,
  body: shapes.CallToolRequest,
  status: 200,
  output: shapes.CallToolResult,
  refusals: primitive,
});

export const previewWidget = defineOperation({
  operationId: 'previewWidget',
  surface: 'api',
  method: 'POST',
  path: `${base}/widgets/preview`,
  tag,
  summary: 'Preview the widget of a tool',
  description:
    'An addition of Proofmark beyond the specification. Shows the widget of the tool with the given result, as a client would show it, in an isolated browser. Tool calls of the widget reach the real server. Nothing is stored. 422 with details.reason NO_BROWSER if there is no browser.',
  access: 'member',
  outbound: true,
  body: WidgetPreviewRequest,
  largestBodyBytes: 5 * 1024 * 1024,
  status: 200,
  output: WidgetPreview,
  refusals: primitive,
});

export const listPrompts = defineOperation({
  operationId: 'listPrompts',
  surface: 'api',
  method: 'POST',
  path: `${base}/prompts`,
  tag,
  summary: 'List the prompts of a server',
  description: 'One page as the server sends it; cursor and nextCursor are those of the server.',
  access: 'member',
  outbound: true,
  effect: 'reads',
  body: shapes.McpListRequest,
  status: 200,
  output: shapes.PromptPage,
  refusals: primitive,
});

export const getPrompt = defineOperation({
  operationId: 'getPrompt',
  surface: 'api',
  method: 'POST',
  path: `${base}/prompts/get`,
  tag,
  summary: 'Render a prompt',
  description: 'Returns the unchanged MCP result.',
  access: 'member',
  outbound: true,
  effect: 'reads',
  body: shapes.GetPromptRequest,
  status: 200,
  output: shapes.GetPromptResult,
  refusals: primitive,
});

export const listResources = defineOperation({
  operationId: 'listResources',
  surface: 'api',
  method: 'POST',
  path: `${base}/resources`,
  tag,
  summary: 'List the resources of a server',
  description: 'One page as the server sends it; cursor and nextCursor are those of the server.',
  access: 'member',
  outbound: true,
  effect: 'reads',
  body: shapes.McpListRequest,
  status: 200,
  output: shapes.ResourcePage,
  refusals: primitive,
});

export const listResourceTemplates = defineOperation({
  operationId: 'listResourceTemplates',
  surface: 'api',
  method: 'POST',
  path: `${base}/resources/templates`,
  tag,
  summary: 'List the resource templates of a server',
  description: 'One page as the server sends it; cursor and nextCursor are those of the server.',
  access: 'member',
  outbound: true,
  effect: 'reads',
  body: shapes.McpListRequest,
  status: 200,
  output: shapes.ResourceTemplatePage,
  refusals: primitive,
});

export const readResource = defineOperation({
  operationId: 'readResource',
  surface: 'api',
  method: 'POST',
  path: `${base}/resources/read`,
  tag,
  summary: 'Read a resource by its URI',
  description: 'Returns the unchanged MCP result.',
  access: 'member',
  outbound: true,
  effect: 'reads',
  body: shapes.ReadResourceRequest,
  status: 200,
  output: shapes.ResourceContents,
  refusals: primitive,
});

export const exportServer = defineOperation({
  operationId: 'exportServer',
  surface: 'api',
  method: 'POST',
  path: `${base}/export`,
  tag,
  summary: 'Export the tools, prompts and resources of a server',
  description: 'All pages of all lists, and a hash of the tools that shows changes.',
  access: 'member',
  outbound: true,
  effect: 'reads',
  body: shapes.DiagnosticRequest,
  status: 200,
  output: shapes.ExportSnapshot,
  refusals: asClient,
});

export const importOAuthTokens = defineOperation({
  operationId: 'importOAuthTokens',
  surface: 'api',
  method: 'POST',
  path: `${base}/oauth/import-tokens`,
  tag,
  summary: 'Store OAuth tokens for a server',
  description:
    'The tokens are stored encrypted, sent with later calls to this server and refreshed at the issuer that this request discovers. Replaces earlier tokens. Needs manage.',
  access: 'manage',
  outbound: true,
  body: shapes.ImportTokensRequest,
  status: 200,
  output: shapes.ImportTokensResult,
  refusals: ['CONFLICT', 'SERVER_UNREACHABLE', 'TIMEOUT'],
});
