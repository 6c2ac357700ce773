/**
 * A server of revision 2026-07-28 whose tools answer with tasks of the extension
 * `io.modelcontextprotocol/tasks`, well or badly, as the scripts of the tools say.
 */
import { taskExtension } from '@proofmark/domain';
import {
  type FakeAnswer,
  type FakeMcpServer,
  type FakeRequest,
  rpcError,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from './fake-mcp-server.ts';

type Json = Readonly<Record<string, unknown>>;

/** What the server answers to a look at the task; `error` in place of a status is a JSON-RPC error. */
export type TaskLook = Json | ((inputs: Json) => Json);

export interface TaskScript {
  /** Fields of the first answer (default: those of a task that is working). */
  readonly first?: Json;
  /** The answer to the call in place of a task. */
  readonly instead?: Json;
  /** The answers to the looks in order. The last one is repeated. */
  readonly looks?: readonly TaskLook[];
}

export interface TaskServer extends FakeMcpServer {
  /** The requests about tasks as `method id`, in order. */
  readonly asked: readonly string[];
}

export async function startTaskServer(
  tools: Readonly<Record<string, TaskScript>>,
  more: Readonly<Record<string, FakeAnswer>> = {},
): Promise<TaskServer> {
  const { answers, asked } = taskAnswers(tools);
  return { ...(await startFakeMcpServer({ ...answers, ...more })), asked };
}

export function taskAnswers(tools: Readonly<Record<string, TaskScript>>): {
  readonly answers: Readonly<Record<string, FakeAnswer>>;
  readonly asked: readonly string[];
} {
  const begun = new Map<string, BegunTask>();
  const asked: string[] = [];
  const taskOf = (request: FakeRequest): BegunTask | undefined => {
    const id = String(paramsOf(request)['taskId']);
    asked.push(`${String(request.message['method'])} ${id}`);
    return begun.get(id);
  };
  const answers: Readonly<Record<string, FakeAnswer>> = {
    'server/discover': modernDiscovery(),
    'tools/list': complete({
      tools: Object.keys(tools).map((name) => ({
        name,
        description: `The tool ${name}.`,
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: true },
      })),
    }),
    'tools/call': (response, request) => {
      const { name } = paramsOf(request);
      const script = tools[String(name)] ?? {};
      if (script.instead !== undefined) {
        return sendJson(response, rpcResult(request, script.instead));
      }
      const taskId = `task-${begun.size + 1}`;
      begun.set(taskId, { script, looks: 0, inputs: {} });
      const task = { taskId, status: 'working', ...taskFields, ...script.first };
      return sendJson(response, rpcResult(request, { resultType: 'task', ...task }));
    },
    'tasks/get': (response, request) => {
      const task = taskOf(request);
      const looks = task?.script.looks ?? [];
      const next = looks[Math.min(task?.looks ?? 0, looks.length - 1)];
      if (task === undefined || next === undefined) {
        return sendJson(response, rpcError(request, -32602, 'There is no such task.'));
      }
      task.looks += 1;
      const look = typeof next === 'function' ? next(task.inputs) : next;
      const { taskId } = paramsOf(request);
      const isError = look['status'] === undefined && look['error'] !== undefined;
      return sendJson(
        response,
        isError
          ? { jsonrpc: '2.0', id: request.message['id'], error: look['error'] }
          : rpcResult(request, complete({ taskId, ...taskFields, ...look })),
      );
    },
    'tasks/update': (response, request) => {
      const task = taskOf(request);
      const { inputResponses } = paramsOf(request);
      if (task !== undefined) task.inputs = { ...task.inputs, ...(inputResponses as Json) };
      return sendJson(response, rpcResult(request, complete({})));
    },
    'tasks/cancel': (response, request) => {
      taskOf(request);
      return sendJson(response, rpcResult(request, complete({})));
    },
  };
  return { answers, asked };
}

interface BegunTask {
  readonly script: TaskScript;
  looks: number;
  inputs: Json;
}

/** The answer to `server/discover` of a server that speaks only revision 2026-07-28. */
export function modernDiscovery(capabilities: Json = { tools: {} }): Record<string, unknown> {
  return {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { ...capabilities, extensions: { [taskExtension]: {} } },
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'fake', version: '1' } },
  };
}

export function complete(fields: Json): Record<string, unknown> {
  return { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...fields };
}

export function completed(text: string, more: Json = {}): Json {
  const result = { resultType: 'complete', content: [{ type: 'text', text }], ...more };
  return { status: 'completed', result };
}

/** The capabilities that the client declares in this request. */
export function declaredIn(request: FakeRequest): Json {
  const meta = paramsOf(request)['_meta'] as Json | undefined;
  return (meta?.['io.modelcontextprotocol/clientCapabilities'] ?? {}) as Json;
}

/** Refuses calls of clients that do not declare the tasks extension, as a server must. */
export const refusesUndeclared: FakeAnswer = (response, request) => {
  const requiredCapabilities = { extensions: { [taskExtension]: {} } };
  const error = { code: -32021, message: 'Tasks are required.', data: { requiredCapabilities } };
  sendJson(response, { jsonrpc: '2.0', id: request.message['id'], error }, 400);
};

function paramsOf({ message }: FakeRequest): Json {
  return (message['params'] ?? {}) as Json;
}

const createdAt = '2026-11-01T10:00:00.000Z';
const taskFields = { createdAt, lastUpdatedAt: createdAt, ttlMs: null, pollIntervalMs: 60 };
