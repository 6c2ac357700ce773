/**
 * Baseline for the cost of a trial: a loop that makes the calls of a trial and stores nothing. In
 * each turn it asks the model, calls the requested tool and asks the model again.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [
  serverUrl = '',
  modelUrl = '',
  trials = '0',
  atOnce = '1',
  warmUp = '0',
  sessions = 'trial',
  turns = '1',
] = process.argv.slice(2);

/** Opens a session and returns the server's tools in the model's format. */
async function open() {
  const client = new Client(
    { name: 'bare', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(serverUrl)));
  const tools = (await client.listTools()).tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
  return { client, tools };
}
type Session = Awaited<ReturnType<typeof open>>;

const shared = sessions === 'run' ? await open() : undefined;
await runTrials(Number(warmUp));
const before = process.cpuUsage();
const startedAt = performance.now();
await runTrials(Number(trials));
const { user, system } = process.cpuUsage(before);
const seconds = (performance.now() - startedAt) / 1000;
console.log(JSON.stringify({ cpuMicroseconds: (user + system) / Number(trials), seconds }));
await shared?.client.close();

async function runTrials(count: number): Promise<void> {
  let left = count;
  const loop = async () => {
    while (left > 0) {
      left -= 1;
      if (shared !== undefined) await runTrial(shared);
      else await runWithOwn();
    }
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, loop));
}

async function runWithOwn(): Promise<void> {
  const session = await open();
  await runTrial(session);
  await session.client.close();
}

async function runTrial({ client, tools }: Session): Promise<void> {
  const messages: object[] = [];
  for (let turn = 0; turn < Number(turns); turn += 1) {
    messages.push({ role: 'user', content: 'How warm is it in Brno?' });
    const first = await ask(messages, tools);
    for (const { id, function: called } of first.tool_calls ?? []) {
      const parameters = JSON.parse(called.arguments) as Record<string, unknown>;
      const result = await client.callTool({ name: called.name, arguments: parameters });
      messages.push(first, { role: 'tool', tool_call_id: id, content: JSON.stringify(result) });
    }
    const last = await ask(messages, tools);
    if (typeof last.content !== 'string') throw new Error('The model did not answer.');
    messages.push(last);
  }
}

interface Answer {
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

async function ask(messages: readonly object[], tools: readonly object[]): Promise<Answer> {
  const response = await fetch(`${modelUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bench', messages, tools, tool_choice: 'auto' }),
  });
  const body = (await response.json()) as { choices: { message: Answer }[] };
  return body.choices[0]?.message as Answer;
}
