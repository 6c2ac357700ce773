import type { FakeAnswer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { rpcError, rpcResult, sendJson } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';

const inputSchema = { type: 'object', properties: { q: { type: 'string' } } };
const outputSchema = { type: 'object', properties: { total: { type: 'number' } } };

function tool(name: string, annotations: object, more: object = {}) {
  return { name, description: `Does ${name} in the shop.`, inputSchema, annotations, ...more };
}

export const slowForMs = 1_000;

const results: Readonly<Record<string, object>> = {
  find: { structuredContent: { total: 2, first: { sku: 'tea' } } },
  drop: { content: [{ type: 'text', text: 'All rows are gone.' }] },
  refuse: { isError: true, content: [{ type: 'text', text: 'There is no such city.' }] },
  crash: { isError: true, content: [{ type: 'text', text: 'total is not a function' }] },
  slow: { content: [{ type: 'text', text: 'At last.' }] },
  odd: { content: [{ type: 'text', text: 'odd' }] },
  huge: { content: [{ type: 'text', text: 'x'.repeat(3 * 1024 * 1024) }] },
};

const call: FakeAnswer = (response, request) => {
  const { name } = request.message['params'] as { name: string };
  if (name === 'lost') return response.destroy();
  if (name === 'broken') return sendJson(response, rpcError(request, -32050, 'Out of order.'));
  const result = { content: [], ...results[name] };
  const answer = () => sendJson(response, rpcResult(request, result));
  return name === 'slow' ? setTimeout(answer, slowForMs) : answer();
};

export const sayingServer: Readonly<Record<string, FakeAnswer>> = {
  'tools/list': {
    tools: [
      tool('find', { readOnlyHint: true }, { outputSchema }),
      tool('drop', { destructiveHint: true }),
      ...['refuse', 'crash', 'broken', 'slow', 'lost', 'huge'].map((name) =>
        tool(name, { readOnlyHint: true }),
      ),
      // The service cannot resolve this schema, so a call cannot be checked against it.
      tool(
        'odd',
        { readOnlyHint: true },
        {
          inputSchema: { type: 'object', $dynamicRef: '#x' },
        },
      ),
    ],
  },
  'tools/call': call,
};

/**
 * A tool list without descriptions, annotations and output schemas, with an invalid input schema
 * and a duplicate name.
 */
export const silentServer: Readonly<Record<string, FakeAnswer>> = {
  'tools/list': {
    tools: [
      { name: 'find', inputSchema: { type: 'object', properties: 7 } },
      { name: 'find', inputSchema: { type: 'object' } },
    ],
  },
  'tools/call': call,
};
