import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { modernTools } from './modern-primitives.ts';
import { everythingStdio, startEverythingServer } from './start-everything-server.ts';
import { startModernServer } from './start-modern-server.ts';

test('the everything server answers over Streamable HTTP, SSE and stdio', async () => {
  const streamable = await startEverythingServer('streamableHttp');
  const sse = await startEverythingServer('sse');
  try {
    const transports = [
      new StreamableHTTPClientTransport(new URL(streamable.url)),
      new SSEClientTransport(new URL(sse.url)),
      new StdioClientTransport({ ...everythingStdio(), stderr: 'ignore' }),
    ];
    for (const transport of transports) {
      const client = newClient();
      await client.connect(transport);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('echo');
      await client.close();
    }
  } finally {
    await streamable.stop();
    await sse.stop();
  }
});

test('our own server speaks 2026-07-28, cuts its tools into pages and counts its calls', async () => {
  const server = await startModernServer();
  try {
    const client = newClient();
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(modernTools.length);
    expect(server.calls.filter(({ method }) => method === 'tools/list')).toHaveLength(4);
    expect(await client.callTool({ name: 'echo', arguments: { text: '👋' } })).toMatchObject({
      content: [{ type: 'text', text: '👋' }],
    });
    expect(await client.readResource({ uri: 'notes://7' })).toMatchObject({
      contents: [{ text: 'Notiz über notes://7 – ✓' }],
    });
    expect(await client.getPrompt({ name: 'plain' })).toMatchObject({ messages: [{}] });
    await client.close();
  } finally {
    await server.stop();
  }
});

function newClient(): Client {
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
}
