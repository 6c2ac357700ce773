import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';

export async function startEverythingServer(
  mode: 'streamableHttp' | 'sse',
): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['--import', loopback, program, mode], {
    env: { ...everythingStdio().env, PORT: '0' },
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
  try {
    const port = await readPort(child.stderr, closed);
    return { url: `http://127.0.0.1:${port}/${mode === 'sse' ? 'sse' : 'mcp'}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The start command of the public reference server over stdio, as an operator would configure it.
 */
export function everythingStdio(): {
  command: string;
  args: string[];
  env: Record<string, string>;
} {
  return {
    command: process.execPath,
    args: [program, 'stdio'],
    env: { PATH: process.env['PATH'] ?? '' },
  };
}

const program = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const loopback = new URL('./bind-to-loopback.mjs', import.meta.url).href;
const readyWithinMs = 30_000;

/**
 * Reads the port from stderr. The preloaded `bind-to-loopback.mjs` prints it once the server
 * listens.
 */
export async function readPort(
  stderr: NodeJS.ReadableStream,
  closed: Promise<unknown>,
): Promise<string> {
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      stderr.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        const port = /listening at 127\.0\.0\.1:(\d+)/.exec(text)?.[1];
        if (port !== undefined) resolve(port);
      });
      timer = setTimeout(
        () => reject(new Error(`The server did not start to listen in time: ${text}`)),
        readyWithinMs,
      );
      void closed.then(() => reject(new Error(`The server ended before it listened: ${text}`)));
    });
  } finally {
    clearTimeout(timer);
  }
}
