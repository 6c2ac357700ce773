import type { Json } from '@proofmark/domain';
import type { McpSession } from '../../outside/mcp/mcp-gateway.ts';

export type KeepAnswer = <Result>(
  method: string,
  parameters: Json,
  answer: () => Promise<Result>,
) => Promise<Result>;

export function recordedSession(session: McpSession, keep: KeepAnswer): McpSession {
  const page = (method: string, list: (cursor?: string) => Promise<Page>) => (cursor?: string) =>
    keep(method, cursor === undefined ? {} : { cursor }, () => list(cursor));
  return {
    get initInfo() {
      return session.initInfo;
    },
    get excludedTools() {
      return session.excludedTools;
    },
    listTools: page('tools/list', session.listTools),
    listPrompts: page('prompts/list', session.listPrompts),
    listResources: page('resources/list', session.listResources),
    listResourceTemplates: page('resources/templates/list', session.listResourceTemplates),
    listAll: (list) => keep(`${list}/all`, {}, () => session.listAll(list)),
    callTool: (...call) => session.callTool(...call),
    getPrompt: (name, parameters) =>
      keep('prompts/get', { name, arguments: parameters }, () =>
        session.getPrompt(name, parameters),
      ),
    readResource: (uri) => keep('resources/read', { uri }, () => session.readResource(uri)),
  };
}

type Page = Awaited<ReturnType<McpSession['listTools']>>;
