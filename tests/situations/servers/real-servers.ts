/** Public servers as separate processes. Each is started once for all rows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  readPort,
  startEverythingServer,
} from '@proofmark/harness/mcp-servers/start-everything-server.ts';
import { startModernServer } from '@proofmark/harness/mcp-servers/start-modern-server.ts';
import type { ServerStart, StartedServer } from '../situation.ts';

export function everything(mode: 'streamableHttp' | 'sse' = 'streamableHttp'): ServerStart {
  return (fixture) => fixture.shared(`everything ${mode}`, () => startEverythingServer(mode));
}

export function modern(): ServerStart {
  return (fixture) => fixture.shared('modern', () => startModernServer());
}

export function fastmcp(): ServerStart {
  return (fixture) => fixture.shared('fastmcp', startFastMcpServer);
}

const loopback = new URL(
  '../../../packages/harness/src/mcp-servers/bind-to-loopback.mjs',
  import.meta.url,
).href;
const program = fileURLToPath(new URL('fastmcp-server.child.mjs', import.meta.url));

async function startFastMcpServer(): Promise<StartedServer> {
  const child = spawn(process.execPath, ['--import', loopback, program], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const stop = async () => {
    process.off('exit', endWithUs);
    child.kill('SIGKILL');
    await closed;
  };
  const port = await readPort(child.stderr, closed).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url: `http://127.0.0.1:${port}/mcp`, stop };
}
