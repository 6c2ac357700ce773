import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { gatewayForTest, stdioTarget } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { McpGateway } from '../../packages/server/src/outside/mcp/mcp-gateway.ts';
import { createLexicalModel } from '../../packages/server/src/outside/model/lexical/create-lexical-model.ts';
import type { ModelTool } from '../../packages/server/src/outside/model/model-gateway.ts';
import { makeFiles, removeFiles, stdioServers } from '../situations/servers/stdio-servers.ts';
import {
  halfOf,
  type LabelledPrompt,
  ownPrompts,
  strangerPrompts,
  variedPrompts,
  writtenSurfaces,
} from './labelled-prompt.ts';

const started = ['everything', 'memory', 'filesystem', 'sequential-thinking'] as const;
const tools = new Map<string, readonly ModelTool[]>(Object.entries(writtenSurfaces));
let gateway: McpGateway;

beforeAll(async () => {
  makeFiles();
  gateway = gatewayForTest();
  const servers = stdioServers();
  for (const name of started) {
    const listed = await gateway.use(stdioTarget(servers[name]), (session) =>
      session.listAll('tools'),
    );
    tools.set(name, listed as unknown as readonly ModelTool[]);
  }
});
afterAll(async () => {
  await gateway.close();
  removeFiles();
});

test('every prompt names a tool and parameters that its server has', () => {
  const lists = [ownPrompts, strangerPrompts, variedPrompts].flatMap((set) => Object.entries(set));
  for (const [name, prompts] of lists) {
    for (const [request, tool, input] of prompts) {
      if (tool === 'none') continue;
      const listed = tools.get(name)?.find((one) => one.name === tool);
      const known = Object.keys(listed?.inputSchema['properties'] ?? {});
      for (const parameter of Object.keys(input)) expect(known, request).toContain(parameter);
      expect(listed, request).toBeDefined();
    }
  }
});

test.each([
  ['Ours', ownPrompts],
  ['A stranger’s', strangerPrompts],
  ['Ours, to ten servers', variedPrompts],
])(
  'the guide states exactly the accuracy on the half that was held out: %s',
  (authors, prompts) => {
    const model = createLexicalModel();
    const asked: LabelledPrompt[] = [];
    let selected = 0;
    let filled = 0;
    for (const [name, list] of Object.entries(prompts)) {
      for (const prompt of halfOf(list, 'heldOut')) {
        const [request, tool, input] = prompt;
        asked.push(prompt);
        const messages = [{ role: 'user' as const, content: request }];
        const [call] = model({ messages, tools: tools.get(name) ?? [] }).toolCalls;
        if ((call?.toolName ?? 'none') !== tool) continue;
        selected += 1;
        if (call !== undefined && isDeepStrictEqual(call.input, input)) filled += 1;
      }
    }
    const calls = asked.filter(([, tool]) => tool !== 'none').length;
    const guide = readFileSync(new URL('../../docs/guides/models.md', import.meta.url), 'utf8');
    const figures = [share(selected, asked.length), share(filled, calls)];
    expect(guide).toContain(`| ${authors} | ${figures.join(' | ')} |`);
  },
);

function share(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
}
