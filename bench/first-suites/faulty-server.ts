/**
 * Relays JSON-RPC between a client and a server, and applies one fault: `faulty-server.ts FAULT
 * PROGRAM [ARGUMENT…]`.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Fault, faults, type ListedTool } from './faults.ts';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> };
  readonly result?: Record<string, unknown>;
}

const [id, ...words] = process.argv.slice(2);
const fault = faults.find((one) => one.id === id) as Fault;
const server = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
server.on('exit', (code) => process.exit(code ?? 1));
server.stdin.on('error', () => undefined);
/** The kind of each pending request, by its id. */
const asked = new Map<unknown, 'list' | 'call'>();

eachMessage(process.stdin, (message) => {
  const forServer = requested(message);
  if (forServer !== undefined) server.stdin.write(`${JSON.stringify(forServer)}\n`);
}).on('close', () => server.stdin.end());
eachMessage(server.stdout, (message) => send(answered(message)));

/**
 * Returns the message for the server, altered if the fault applies. Undefined if the server must
 * not receive the message.
 */
function requested(message: Message): Message | undefined {
  const { id: request, method, params } = message;
  if (method === 'tools/list') asked.set(request, 'list');
  const isOfTool = method === 'tools/call' && fault.tools.includes(params?.name ?? '');
  if (!isOfTool) return message;
  asked.set(request, 'call');
  const done = fault.call?.(params?.arguments ?? {});
  if (done === undefined) return message;
  if (done === 'hang') return undefined;
  if (done === 'crash') {
    server.kill('SIGKILL');
    process.exit(1);
  }
  if ('answer' in done) {
    send({ id: request, result: done.answer } as Message);
    return undefined;
  }
  return { ...message, params: { ...params, arguments: { ...done.arguments } } };
}

function answered(message: Message): Message {
  const kind = message.method === undefined ? asked.get(message.id) : undefined;
  const { result } = message;
  if (kind === undefined || result === undefined) return message;
  asked.delete(message.id);
  if (kind === 'call') return { ...message, result: { ...(fault.result?.(result) ?? result) } };
  const tools = result['tools'] as ListedTool[];
  return { ...message, result: { ...result, tools: fault.list?.(tools) ?? tools } };
}

function send(message: Message): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function eachMessage(stream: NodeJS.ReadableStream, read: (message: Message) => void) {
  return createInterface({ input: stream }).on('line', (line) => {
    if (line.startsWith('{')) read(JSON.parse(line) as Message);
  });
}
