/**
 * A session as its caller uses it during one call. If the server forgot the session, the call
 * continues on a new connection.
 */
import {
  type ExcludedTool,
  excludeTools,
  isModernRevision,
  type Json,
  mustExclude,
  readingResource,
  type TaskTrace,
} from '@proofmark/domain';
import type { CallSession } from './call-session.ts';
import { CallableTools } from './callable-tools.ts';
import { invalidAnswer, tooMany } from './explain-mcp-error.ts';
import type { McpConnection } from './mcp-connection.ts';
import { McpFailure } from './mcp-failure.ts';
import type { McpList, McpPage, McpSession, ToolOutcome } from './mcp-gateway.ts';
import type { McpLimits } from './mcp-limits.ts';
import type { McpTarget } from './mcp-target.ts';
import {
  type DeclaredAbilities,
  undeclaredCapability,
  withMissingAbility,
} from './missing-ability.ts';
import { checkOutput } from './output-check.ts';
import { rememberedTools } from './remembered-tools.ts';
import { itemsOf, readToolResult, requireList } from './result-shape.ts';

export type Ask = (
  method: string,
  params: Json,
  onTask?: (trace: TaskTrace) => void,
) => Promise<Json>;

export function sessionOver(
  connected: () => McpConnection,
  ask: Ask,
  limits: McpLimits,
  { paginationTraversal }: Pick<McpTarget, 'paginationTraversal'>,
  last: () => CallSession['last'],
): McpSession {
  const list = (name: McpList, cursor?: string) => page(connected(), ask, limits, name, cursor);
  const walk = (name: McpList) => allPages(connected, list, limits, name);
  const callable = new CallableTools(connected, walk);
  const offers = (name: McpList) =>
    connected().initInfo.serverCapabilities[lists[name].capability] !== undefined;
  return {
    get initInfo() {
      return connected().initInfo;
    },
    get excludedTools() {
      return connected().excluded;
    },
    listTools: (cursor) => list('tools', cursor),
    listPrompts: (cursor) => list('prompts', cursor),
    listResources: (cursor) => list('resources', cursor),
    listResourceTemplates: (cursor) => list('resourceTemplates', cursor),
    async listAll(name) {
      if (!offers(name)) return [];
      if (paginationTraversal !== 'firstPageOnly') return walk(name);
      const { items, excludedTools = [] } = await list(name);
      if (name === 'tools') connected().excluded = excludedTools;
      return items;
    },
    async callTool(name, parameters, onTask): Promise<ToolOutcome> {
      requireCapability(connected(), 'tools');
      await callable.require(name);
      const task = await taskFor(connected, walk, name);
      // Capabilities that earlier calls lacked do not concern this call. They are kept only while
      // another call is running, which may need them to explain its error.
      if (connected().isIdle) connected().lacked.clear();
      const called = { name, arguments: parameters, ...task };
      const call = () => ask('tools/call', called, onTask);
      const answer = await call()
        .catch((error: unknown) => callable.afterMismatch(name, error, call))
        .catch((error: unknown) => {
          throw timedFailure(withMissingAbility(abilitiesOf(connected()), error), last());
        });
      return outcomeOf(connected(), answer, last(), (result) =>
        checkOutput(result, () => toolNamed(connected, walk, name, result), limits),
      );
    },
    async getPrompt(name, parameters) {
      requireCapability(connected(), 'prompts');
      const result = await ask('prompts/get', { name, arguments: parameters });
      requireList(result, 'messages', 'role');
      return result;
    },
    async readResource(uri) {
      requireCapability(connected(), 'resources');
      const result = await ask(readingResource, { uri }).catch(aboutResource);
      requireList(result, 'contents', 'uri');
      return result;
    },
  };
}

function abilitiesOf({ initInfo, lacked }: McpConnection): DeclaredAbilities {
  return { declared: initInfo.clientCapabilities, lacked };
}

async function outcomeOf(
  connection: McpConnection,
  answer: Json,
  { sentAtMs, stillMs }: CallSession['last'],
  check: (result: Json) => Promise<ToolOutcome['outputCheck']>,
): Promise<ToolOutcome> {
  const durationMs = Math.round(performance.now() - sentAtMs);
  const result = readToolResult(answer);
  const outputCheck = await check(result);
  const isError = result['isError'] === true;
  const errorText = isError ? connection.quote(textOf(result)) : undefined;
  const missing = isError
    ? undeclaredCapability(abilitiesOf(connection), errorText ?? '')
    : undefined;
  return {
    result,
    durationMs,
    ...(stillMs > 0 && { stillMs }),
    ...(errorText === undefined ? {} : { errorText }),
    ...(missing === undefined ? {} : { undeclaredCapability: missing }),
    ...(outputCheck === undefined ? {} : { outputCheck }),
  };
}

function timedFailure(failure: unknown, { sentAtMs, stillMs }: CallSession['last']): unknown {
  if (!(failure instanceof McpFailure)) return failure;
  failure.durationMs = performance.now() - sentAtMs;
  failure.stillMs = stillMs;
  return failure;
}

/**
 * Returns the parameters for calling a tool as a task of the older era, if it works only as a task
 * and the server supports tasks.
 */
async function taskFor(
  connected: () => McpConnection,
  walk: (name: McpList) => Promise<readonly Json[]>,
  name: string,
): Promise<Json | undefined> {
  const { protocolVersion, serverCapabilities } = connected().initInfo;
  if (isModernRevision(protocolVersion)) return undefined;
  if (!takesTasks(serverCapabilities['tasks'])) return undefined;
  if (connected().tools === undefined) await walk('tools');
  const isTaskOnly = connected().tools?.get(name)?.['execution'] !== undefined;
  return isTaskOnly ? { task: { ttl: taskLivesMs } } : undefined;
}

function takesTasks(tasks: unknown): boolean {
  const requests = tasks as { requests?: { tools?: { call?: unknown } | null } | null } | null;
  return requests?.requests?.tools?.call !== undefined;
}

/** How long the server should store a task, in milliseconds: longer than any call may take. */
const taskLivesMs = 15 * 60_000;

function aboutResource(error: unknown): never {
  if (!(error instanceof McpFailure)) throw error;
  throw new McpFailure(error.code, error.message, { ...error.details, asked: readingResource });
}

function textOf({ content }: Json): string {
  if (!Array.isArray(content)) return '';
  const texts = content.flatMap((part: unknown) =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
      ? [part.text]
      : [],
  );
  return texts.join(' ');
}

const lists = {
  tools: { method: 'tools/list', capability: 'tools', key: 'name' },
  prompts: { method: 'prompts/list', capability: 'prompts', key: 'name' },
  resources: { method: 'resources/list', capability: 'resources', key: 'uri' },
  resourceTemplates: {
    method: 'resources/templates/list',
    capability: 'resources',
    key: 'uriTemplate',
  },
} as const;

async function page(
  connection: McpConnection,
  ask: Ask,
  limits: McpLimits,
  name: McpList,
  cursor?: string,
): Promise<McpPage> {
  const { method, capability, key } = lists[name];
  requireCapability(connection, capability);
  const result = await ask(method, cursor === undefined ? {} : { cursor }).catch(
    (error: unknown) => {
      const isUnknownMethod =
        error instanceof McpFailure && error.details['mcpErrorCode'] === -32601;
      if (isUnknownMethod) throw notSupported(capability);
      const declared = connection.initInfo.clientCapabilities;
      throw withMissingAbility({ declared, lacked: new Set() }, error);
    },
  );
  const items = itemsOf(result, name, key);
  if (items.length > limits.maxItems) throw tooMany(limits.maxItems, 'items');
  const shown =
    name === 'tools' && mustExclude(connection.initInfo) ? withoutExcluded(items) : { items };
  const { nextCursor } = result;
  if (nextCursor === undefined || nextCursor === null || nextCursor === '') return shown;
  if (typeof nextCursor !== 'string')
    throw invalidAnswer('The server sent a cursor that is not text.');
  return { ...shown, nextCursor };
}

function withoutExcluded(items: readonly Json[]): McpPage {
  const { kept, excluded } = excludeTools(items);
  return { items: kept, ...(excluded.length > 0 && { excludedTools: excluded }) };
}

async function allPages(
  connected: () => McpConnection,
  list: (name: McpList, cursor?: string) => Promise<McpPage>,
  limits: McpLimits,
  name: McpList,
): Promise<readonly Json[]> {
  const items: Json[] = [];
  const excluded: ExcludedTool[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; ; pages += 1) {
    if (pages === limits.maxPages) throw tooMany(limits.maxPages, 'pages');
    const next = await list(name, cursor);
    items.push(...next.items);
    excluded.push(...(next.excludedTools ?? []));
    if (items.length + excluded.length > limits.maxItems) throw tooMany(limits.maxItems, 'items');
    cursor = next.nextCursor;
    if (cursor === undefined) break;
    if (seen.has(cursor)) throw invalidAnswer('The server sent the same cursor twice.');
    seen.add(cursor);
  }
  if (name === 'tools') {
    connected().tools = rememberedTools(items, limits);
    connected().excluded = excluded;
  }
  return items;
}

/**
 * Returns the definition of the called tool. All pages of the list are read, but only if the result
 * has structured content to check. The client's own setting for pages does not apply to this check.
 */
async function toolNamed(
  connected: () => McpConnection,
  walk: (name: McpList) => Promise<readonly Json[]>,
  name: string,
  result: Json,
): Promise<Json | undefined> {
  if (connected().tools === undefined && result['structuredContent'] !== undefined) {
    await walk('tools');
  }
  return connected().tools?.get(name);
}

function requireCapability(connection: McpConnection, capability: string): void {
  const offered = connection.initInfo.serverCapabilities[capability];
  if (offered === undefined || offered === null) throw notSupported(capability);
}

function notSupported(capability: string): McpFailure {
  return new McpFailure('FEATURE_NOT_SUPPORTED', `The server does not offer ${capability}.`, {
    capability,
  });
}
