import type { RefusalCode } from '@proofmark/domain';
import { errorStatus } from '../errors.ts';
import { basePaths } from '../operation.ts';
import { cutToFit } from './cut-to-fit.ts';
import type { ToolRow } from './mcp-tool.ts';
import type { ToolRequest } from './tool-input.ts';

export interface McpToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
  readonly [other: string]: unknown;
}

export interface ToolRefusal {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** About 10,000 tokens. MCP hosts cut or reject longer results. */
export const mostResultCharacters = 40_000;
const mostDetailCharacters = 4000;
const mostCutsNamed = 10;

export function toolResultOf(
  toolRow: ToolRow,
  request: ToolRequest,
  answer: unknown,
): McpToolResult {
  const { row } = toolRow;
  const fitted = cutToFit(answer, mostResultCharacters, row.page !== undefined);
  if (fitted === undefined) return toolErrorOf(tooLong(toolRow, request));
  const { value, cuts } = fitted;
  return {
    content: [
      { type: 'text', text: JSON.stringify(value) },
      ...(cuts.length === 0
        ? []
        : [{ type: 'text' as const, text: noteOf(cuts, toolRow, request) }]),
    ],
    structuredContent: value as Record<string, unknown>,
  };
}

/**
 * The result has no `structuredContent`, because clients would validate the error against the
 * tool's output schema.
 */
export function toolErrorOf({ code, message, details = {} }: ToolRefusal): McpToolResult {
  const fitted = cutToFit(details, mostDetailCharacters, false);
  const error = {
    code,
    message,
    ...(fitted !== undefined && Object.keys(details).length > 0 && { details: fitted.value }),
    nextAction: nextActionAfter(code, details),
  };
  return { content: [{ type: 'text', text: JSON.stringify(error) }], isError: true };
}

function noteOf(cuts: readonly string[], toolRow: ToolRow, request: ToolRequest): string {
  const namedCuts = cuts.slice(0, mostCutsNamed).join(', ');
  const more = cuts.length > mostCutsNamed ? `, and ${cuts.length - mostCutsNamed} more` : '';
  return `The answer was shortened: ${namedCuts}${more}. ${whereTheRestIs(toolRow, request)}`;
}

function tooLong(toolRow: ToolRow, request: ToolRequest): ToolRefusal {
  return {
    code: resultTooLong,
    message: `The answer is longer than ${mostResultCharacters} characters. ${whereTheRestIs(toolRow, request)}`,
  };
}

const resultTooLong = 'RESULT_TOO_LONG';

function whereTheRestIs({ row, traits }: ToolRow, { params, query }: ToolRequest): string {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  return [
    ...(row.page === undefined ? [] : ['Request fewer rows with a smaller limit.']),
    ...(traits.shorter === undefined ? [] : [`Call ${traits.shorter} to read the same in parts.`]),
    `The whole answer is at ${row.method} ${basePaths[row.surface]}${path}${search && `?${search}`}.`,
  ].join(' ');
}

export function nextActionAfter(
  code: string,
  details: Readonly<Record<string, unknown>> = {},
): string {
  const seconds = details['retryAfterSeconds'];
  if (code === 'RATE_LIMITED' && typeof seconds === 'number')
    return `Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then call again.`;
  if (code === 'FORBIDDEN' && details['reason'] === 'KEY_SCOPE')
    return 'Ask the user for an API key with a wider scope, or do not use this tool.';
  return code in errorStatus ? nextActions[code as RefusalCode] : (otherActions[code] ?? askUser);
}

const nextActions: Readonly<Record<RefusalCode, string>> = {
  UNAUTHORIZED: 'Ask the user for another API key; the console makes one.',
  OAUTH_REQUIRED: 'Ask the user to sign in to this server in the console, then call again.',
  FORBIDDEN: 'Call getProjectCapabilities to see what this key may do in the project.',
  VALIDATION_ERROR: 'Correct what details.path names, then call again.',
  NOT_FOUND: 'List the existing resources, beginning with listProjects, and use an id from a list.',
  CONFLICT: 'Read the resource again, and call again only if that still makes sense.',
  FEATURE_NOT_SUPPORTED: 'Continue without it; runDoctor shows what a server supports.',
  RATE_LIMITED: 'Wait a while, then call again.',
  SERVER_UNREACHABLE: 'Call runDoctor for this server to see where the connection fails.',
  TIMEOUT: 'Call again once; if it happens again, call runDoctor for this server.',
  INTERNAL_ERROR:
    'Call again once; if it happens again, tell the user the request id for the operator.',
};

const otherActions: Readonly<Record<string, string>> = {
  [resultTooLong]: 'Request less, as described in the message.',
  SERVICE_UNREACHABLE: 'Ask the user whether the service is running at this address.',
};

const askUser = 'Report the error to the user.';
