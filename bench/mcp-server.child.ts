/** The server that both sides of the MCP figure call, in a process of its own. */
import { startModernServer } from '@proofmark/harness/mcp-servers/start-modern-server.ts';

const { url } = await startModernServer({ keepCalls: false });
console.log(JSON.stringify({ url }));
process.on('SIGTERM', () => process.exit(0));
