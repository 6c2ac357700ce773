// A server that writes notes to its standard output before, between and after its messages.
import { createInterface } from 'node:readline';

const tools = [
  { name: 'ping', description: 'Says pong.', inputSchema: { type: 'object', properties: {} } },
];
let calls = 0;

process.stdout.write('Starting the server…\n');

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'tools/call') {
    calls += 1;
    process.stdout.write('{"level":"info","msg":"called"}\n[debug] it was called\n');
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
          serverInfo: { name: 'writes-notes', version: '1' },
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
