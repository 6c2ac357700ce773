/**
 * Runs the program of the conformance suite in a child process: with a time limit, in an empty
 * folder, and without the environment of this process. The child may open connections only to one
 * port of this machine, behind which the proxy of the tested server listens. This keeps addresses in
 * a server's answers, such as redirects, from leading the suite around the egress rules.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';

export interface RunOptions {
  readonly timeoutMs: number;
  /** The only port that the suite may connect to (default: none). */
  readonly port?: number;
  /** The working folder (default: the system's folder for temporary files). */
  readonly folder?: string;
  readonly signal?: AbortSignal;
}

export interface EndedSuite {
  /** Null if the process was ended by a signal. */
  readonly code: number | null;
  readonly isOvertime: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runSuite(
  { program }: { readonly program: string },
  words: readonly string[],
  { timeoutMs, port = 0, folder = tmpdir(), signal }: RunOptions,
): Promise<EndedSuite> {
  signal?.throwIfAborted();
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=512', '--import', onlyPort(port), program, ...words],
    {
      cwd: folder,
      env: { HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The child leads a process group, so that processes that it started end with it.
      detached: true,
    },
  );
  const stdout = new LastText(child.stdout);
  const stderr = new LastText(child.stderr);
  let isOvertime = false;
  const timer = setTimeout(() => {
    isOvertime = true;
    endGroup(child.pid);
  }, timeoutMs);
  const onAbort = () => endGroup(child.pid);
  signal?.addEventListener('abort', onAbort);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    signal?.throwIfAborted();
    return { code, isOvertime, stdout: stdout.text, stderr: stderr.text };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    endGroup(child.pid);
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}

/** Collects the end of a stream. */
class LastText {
  text = '';

  constructor(stream: Readable) {
    stream.setEncoding('utf8');
    stream.on('error', () => undefined);
    stream.on('data', (chunk: string) => {
      this.text = (this.text + chunk).slice(-longestText);
    });
  }
}

const longestText = 256 * 1024;

/** A module that is loaded before the suite, as a URL that needs no file. */
function onlyPort(port: number): string {
  const source = `import { Socket } from 'node:net';
const connect = Socket.prototype.connect;
Socket.prototype.connect = function (...words) {
  const first = Array.isArray(words[0]) ? words[0][0] : words[0];
  const isObject = typeof first === 'object' && first !== null;
  const { port, host = 'localhost' } = isObject ? first : { port: first, host: words[1] };
  const isHere = ['127.0.0.1', 'localhost'].includes(host) || typeof host !== 'string';
  if (Number(port) === ${port} && isHere) return connect.apply(this, words);
  process.nextTick(() => this.destroy(new Error('The suite may connect only to the tested server.')));
  return this;
};`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
