/**
 * Baseline for `bench/mcp.ts`: the SDK's client makes the same tool call without Proofmark and
 * prints the cost.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { measureCalls, toolCall } from './measure-calls.ts';

const client = new Client({ name: 'bare', version: '1' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2] ?? '')));
const { toolName: name, parameters } = toolCall;
const figure = await measureCalls(
  async () => void (await client.callTool({ name, arguments: parameters })),
  () => {
    const { user, system } = process.cpuUsage();
    return Promise.resolve((user + system) / 1e6);
  },
);
console.log(JSON.stringify(figure));
await client.close();
