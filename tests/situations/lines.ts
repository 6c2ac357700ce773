import type {
  ChatOutcome,
  ChatRequest,
  ModelScript,
} from '@proofmark/harness/model-servers/start-openai-server.ts';

export interface ModelLine {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: unknown }[];
  readonly finish?: string;
  readonly usage?: object | null;
  readonly echo?: true;
  /** The row's event `happens` must have ended before this line. */
  readonly happens?: true;
}

export type Line =
  | ModelLine
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | 'hang'
  | 'cut'
  | 'garbage'
  /** `count` is the number of the request to this model, counted from 1. */
  | ((request: ChatRequest, count: number) => Line);

export interface ScriptedCase {
  readonly prompts: readonly string[];
  readonly lines: readonly Line[];
  readonly sampled: Line | undefined;
  keep(request: ChatRequest): void;
  happens(): Promise<unknown>;
}

export function scriptOf(scripted: ScriptedCase): ModelScript {
  let happened: Promise<unknown> | undefined;
  return async (request, count) => {
    scripted.keep(request);
    let line = lineOf(scripted, request);
    while (typeof line === 'function') line = line(request, count);
    if (typeof line === 'object' && 'happens' in line) {
      happened ??= scripted.happens();
      await happened;
    }
    return outcomeOf(line, request);
  };
}

function lineOf({ prompts, lines, sampled }: ScriptedCase, request: ChatRequest): Line {
  const { messages } = request;
  const asks = JSON.stringify(messages.filter(({ role }) => role === 'user'));
  const isOurs = prompts.some((prompt) => asks.includes(JSON.stringify(prompt).slice(1, -1)));
  if (!isOurs && sampled !== undefined) return sampled;
  const answers = messages.filter(({ role }) => role === 'assistant').length;
  return lines[answers] ?? { text: `There is no line ${answers}.` };
}

function outcomeOf(
  line: Exclude<Line, (...given: never) => unknown>,
  request: ChatRequest,
): ChatOutcome {
  if (typeof line === 'string') return line;
  if ('status' in line) return line;
  const toolCalls = line.calls?.map(({ tool, input }) => ({
    name: offeredName(request, tool),
    arguments: input,
  }));
  return {
    ...(line.text !== undefined && { text: line.text }),
    ...(line.echo && { text: lastResult(request) }),
    ...(toolCalls && { toolCalls }),
    ...(line.finish !== undefined && { finishReason: line.finish }),
    ...(line.usage !== undefined && { usage: line.usage }),
  };
}

/** Returns the model's name for a tool: `A:weather` is the tool `weather` of server A. */
function offeredName({ tools = [] }: ChatRequest, tool: string): string {
  const [, server, name] = /^([A-Z]):(.+)$/.exec(tool) ?? [];
  if (server === undefined || name === undefined) return tool;
  const names = tools.map((one) => one.function.name);
  const marked = names.filter((one) => one.includes(name) && one.includes(`Server-${server}`));
  return marked[0] ?? tool;
}

export function lastResult({ messages }: ChatRequest): string {
  const last = messages.filter(({ role }) => role === 'tool').at(-1);
  return last === undefined ? 'No tool has answered.' : textOf(last.content);
}

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return JSON.stringify(content);
}
