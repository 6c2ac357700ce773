import { startModernServer } from '@proofmark/harness/mcp-servers/start-modern-server.ts';

const { url } = await startModernServer({ keepCalls: false });
console.log(JSON.stringify({ url }));
process.on('SIGTERM', () => process.exit(0));
