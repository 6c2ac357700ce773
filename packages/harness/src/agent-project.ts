import type { ServiceOptions } from '../../server/src/main/service-listener.ts';
import {
  createScriptedModel,
  type ModelScript,
  type ScriptedReply,
} from '../../server/src/outside/model/scripted-model.ts';
import { startFakeMcpServer } from './mcp-servers/fake-mcp-server.ts';
import { unique } from './reporter.ts';
import { call, startTestService } from './test-service.ts';
import { createTenant } from './two-tenants.ts';

export const toolsOfBookshop = ['find_book', 'order_book'].map((name) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
}));

export const chatMessage = (content: string, role = 'user') => ({ role, content });
export const calls = (toolName: string, input: object): ScriptedReply => ({
  toolCalls: [{ toolCallId: unique('call'), toolName, input: input as Record<string, unknown> }],
});

export type AgentProject = Awaited<ReturnType<typeof startAgentProject>>;

export async function startAgentProject() {
  const service = await startTestService();
  const tenant = await createTenant(service, 'acme');
  const bookshop = await startFakeMcpServer({
    'tools/list': { tools: toolsOfBookshop },
    'prompts/list': { prompts: [{ name: 'recommend' }], nextCursor: 'more' },
    'resources/list': { resources: [{ uri: 'shop://terms', name: 'Terms of sale' }] },
    'resources/templates/list': {
      resourceTemplates: [{ uriTemplate: 'shop://books/{title}', name: 'One book' }],
    },
  });
  const ask = (path: string, body: unknown, baseUrl = service.baseUrl) =>
    call(`${baseUrl}/api/v1/projects/${tenant.projectId}/${path}`, {
      method: 'POST',
      key: tenant.key,
      body,
    });
  const turn = (messages: unknown, more: object = {}, baseUrl = service.baseUrl) =>
    ask('agent', { messages, ...more }, baseUrl);
  const saveServer = async (name: string, url: string): Promise<string> => {
    const body = { name, enabled: true, transportType: 'http', url };
    return (await ask('servers', body)).body.id;
  };
  const serverId = await saveServer('Sample bookshop', bookshop.url);
  return {
    service,
    tenant,
    serverId,
    ask,
    turn,
    saveServer,
    async withModel(
      script: ModelScript | readonly ScriptedReply[],
      options: Partial<ServiceOptions> = {},
    ) {
      const models = createScriptedModel(script);
      const partModels = { insights: 'off', agent: 'scripted/one', generation: 'off' };
      const other = await service.another({ models, partModels, ...options });
      return {
        models,
        stop: other.stop,
        baseUrl: other.baseUrl,
        turn: (content: string, more: object = {}) =>
          turn([chatMessage(content)], more, other.baseUrl),
      };
    },
    suite: (name: string) => ({
      name,
      serverIds: [serverId],
      model: 'proofmark/lexical-1',
      tests: [{ title: 'One', steps: [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }] }],
    }),
    async countOf(table: string): Promise<number> {
      const { sql } = service.owner;
      const [row] = await sql<
        { count: number }[]
      >`select count(*)::integer as count from ${sql(table)}`;
      return row?.count ?? 0;
    },
    async stop(): Promise<void> {
      await service.stop();
      await bookshop.stop();
    },
  };
}
