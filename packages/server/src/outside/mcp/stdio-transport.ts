/**
 * A server that runs as a child process. The child gets only the given environment, and no shell
 * parses its command. The protocol library's own transport would pass on a part of this process's
 * environment. The child's whole process group is ended with the connection.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { ErrorLines } from './error-lines.ts';
import {
  connectionClosed,
  messageTooLarge,
  processEnded,
  unreachable,
} from './explain-mcp-error.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { JsonDepth } from './json-depth.ts';
import type { McpFailure } from './mcp-failure.ts';
import type { McpLimits } from './mcp-limits.ts';
import type { StdioAddress } from './mcp-target.ts';
import { StderrReason } from './stderr-reason.ts';

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /**
   * `onbytes` is called with the number of bytes that the child wrote; `onbreach` with the error if
   * the child's output breaks a rule.
   */
  onbytes: (bytes: number) => void = () => undefined;
  onbreach: (reason: unknown) => void = () => undefined;
  /** Called with a line of the standard output that is no protocol message. */
  onnoise: (line: string) => void = () => undefined;
  onerrorline: (line: string) => void = () => undefined;
  /** Redacts secrets in a line, so that it may be quoted. By default nothing is quoted. */
  quote: (line: string) => string = () => '';
  /**
   * The protocol library recognizes the transport of a child process by its fields `pid` and
   * `stderr`.
   */
  readonly stderr = null;
  readonly #address: StdioAddress;
  readonly #limits: McpLimits;
  readonly #line = new GrowingBytes();
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  #spawned: Promise<void> | undefined;
  #exited: Promise<void> = Promise.resolve();
  /** Settles shortly after the child has exited, when its error output was read to the end. */
  #over: Promise<void> = Promise.resolve();
  #end: ((stderrLine: string, isAwaited: boolean) => McpFailure) | undefined;
  readonly #lastWords = new StderrReason();
  #hasExited = false;

  constructor(address: StdioAddress, limits: McpLimits) {
    this.#address = address;
    this.#limits = limits;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get isAlive(): boolean {
    return this.#child?.pid !== undefined && !this.#hasExited;
  }

  async start(): Promise<void> {
    await this.begin();
    const child = this.#child;
    if (child === undefined) return;
    const { stdout, stderr } = child;
    new ErrorLines(stderr, (line) => {
      this.#lastWords.add(line);
      this.onerrorline(line);
    });
    stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    const silent = closing(stdout);
    void Promise.all([this.#over, silent]).then(() => this.onclose?.());
  }

  /** Starts the child; further calls do nothing. */
  begin(): Promise<void> {
    this.#spawned ??= this.#spawn();
    return this.#spawned;
  }

  async #spawn(): Promise<void> {
    const { command, args, env, cwd = '/' } = this.#address;
    if (!command.startsWith('/')) {
      throw unreachable('COMMAND_NOT_FOUND', 'The command of the server is not an absolute path.');
    }
    const child = spawn(command, [...args], {
      env: { ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      cwd,
      // The child leads its own process group, so that ending the group also ends the processes
      // that the child started.
      detached: true,
    }) as ChildProcessByStdio<Writable, Readable, Readable>;
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      child.once('exit', (exitCode, signal) => {
        this.#end = (stderrLine, isAwaited) =>
          processEnded(exitCode, signal, stderrLine, isAwaited);
        resolve();
      });
      child.once('error', () => resolve());
    });
    const { stderr } = child;
    this.#over = this.#exited.then(async () => {
      this.#hasExited = true;
      // Processes that the child started may keep the error output open forever, so the wait is
      // limited.
      await Promise.race([closing(stderr), pause(lastWordsMs)]);
    });
    child.stdin.on('error', () => undefined);
    child.stdout.on('error', () => undefined);
    stderr.on('error', () => undefined);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) => reject(cannotStart(error)));
    });
  }

  /**
   * Returns why the connection ended. `isAwaited` is true if a request was waiting for its answer,
   * false if the error is for the next request.
   */
  closedBecause(isAwaited: boolean): McpFailure {
    const { line } = this.#lastWords;
    const stderrLine = line === undefined ? '' : this.quote(line);
    return this.#end?.(stderrLine, isAwaited) ?? connectionClosed();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    const isWritten =
      stdin?.writable === true &&
      (await new Promise<boolean>((resolve) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => resolve(error == null));
      }));
    if (isWritten) return;
    // The pipe breaks a moment before the process is reported as ended, so this waits briefly for
    // the reason of the end.
    await Promise.race([this.#over, pause(graceMs)]);
    throw this.closedBecause(true);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await Promise.race([this.#exited, pause(graceMs)]);
      // The signals are sent even if the child has ended, since processes that it started may have
      // outlived it.
      endGroup(child.pid, signal);
    }
    await this.#exited;
    child.stdout.destroy();
    child.stderr.destroy();
  }

  #read(chunk: Buffer): void {
    try {
      this.onbytes(chunk.byteLength);
      let from = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        this.#add(chunk.subarray(from, end));
        this.#receive(this.#line.take());
        from = end + 1;
      }
      this.#add(chunk.subarray(from));
    } catch (error) {
      this.#child?.stdout.destroy();
      this.onbreach(error);
    }
  }

  #add(bytes: Uint8Array): void {
    if (this.#line.length + bytes.length > this.#limits.maxMessageBytes) {
      throw messageTooLarge(this.#limits.maxMessageBytes);
    }
    this.#line.add(bytes);
  }

  #receive(line: Uint8Array): void {
    const first = line.find((byte) => byte > 0x20);
    if (first === undefined) return;
    // Many servers print notes for people between their messages, some as JSON. The official
    // clients skip such lines, and so does this code.
    if (first !== openBrace && first !== openBracket) {
      this.#passOver(line);
      return;
    }
    new JsonDepth(this.#limits).read(line);
    let messages: JSONRPCMessage[];
    try {
      const value: unknown = JSON.parse(new TextDecoder().decode(line));
      messages = (Array.isArray(value) ? value : [value]).map((one) => parseJSONRPCMessage(one));
    } catch (error) {
      // A line that contains "jsonrpc" may be the awaited answer in a malformed shape, so it is
      // reported as an error.
      if (beginningOf(line).includes('"jsonrpc"')) {
        this.onerror?.(error instanceof Error ? error : new SyntaxError('not JSON'));
      } else this.#passOver(line);
      return;
    }
    for (const message of messages) this.onmessage?.(message);
  }

  #passOver(line: Uint8Array): void {
    this.onnoise(this.quote(beginningOf(line)));
  }
}

function beginningOf(line: Uint8Array): string {
  return new TextDecoder().decode(line.subarray(0, longestNoise));
}

const longestNoise = 4_096;
const newline = 0x0a;
const openBrace = 0x7b;
const openBracket = 0x5b;
const graceMs = 1_000;
const lastWordsMs = 250;

function cannotStart(error: NodeJS.ErrnoException): Error {
  if (error.code === 'ENOENT') {
    return unreachable('COMMAND_NOT_FOUND', 'The command of the server does not exist.');
  }
  return unreachable(
    'COMMAND_FAILED',
    `The command of the server cannot be started (${error.code ?? 'unknown'}).`,
  );
}

function endGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // `kill` throws if the process group has no process left.
  }
}

function closing(stream: Readable): Promise<unknown> {
  return stream.closed
    ? Promise.resolve()
    : new Promise((resolve) => stream.once('close', resolve));
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, durationMs).unref();
  });
}
