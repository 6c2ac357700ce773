// A stdio server that ends a moment after it has answered its first call.
import { createInterface } from 'node:readline';

const tools = [
  { name: 'ping', description: 'Says pong.', inputSchema: { type: 'object', properties: {} } },
];
let calls = 0;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'tools/call') {
    calls += 1;
    setTimeout(() => process.exit(9), 20);
  }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answerOf(method, params) })}\n`);
});

function answerOf(method, params) {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'ends-after-call', version: '1' },
        },
      };
    case 'tools/list':
      return { result: { tools } };
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: `Pong ${calls}.` }] } };
    default:
      return { error: { code: -32601, message: 'Method not found' } };
  }
}
