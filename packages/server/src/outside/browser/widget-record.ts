/**
 * The service's record of one widget: the records of its page, and the widget's calls with their
 * answers.
 */
import { isRecord, type WidgetActivity, type WidgetCall } from '@proofmark/domain';
import type {
  HostReply,
  HostRequest,
  PageRequest,
  PageResponse,
  SeenOfPage,
} from './browser-messages.ts';
import type { WidgetHost } from './widget-renderer.ts';

const mostCalls = 100;
const mostChars = 1000;
/**
 * The limit on stored requests and answers, in characters. They are stored because a second try
 * repeats them.
 */
const mostKeptChars = 32 * 1024 * 1024;

type Asked = Exclude<HostRequest, { kind: 'fetch' }>;

export class WidgetRecord {
  readonly #host: WidgetHost;
  readonly #fetch: (request: PageRequest) => Promise<PageResponse>;
  readonly #answers: AnswerOfServer[] = [];
  readonly #calls: WidgetCall[] = [];
  #asked = 0;
  #keptChars = 0;
  #dropped = 0;
  #seen: SeenOfPage = { consoleLines: [], messages: [], links: [], refused: [], dropped: {} };

  constructor(host: WidgetHost, fetch: (request: PageRequest) => Promise<PageResponse>) {
    this.#host = host;
    this.#fetch = fetch;
  }

  get calls(): readonly WidgetCall[] {
    return this.#calls;
  }

  activity(): WidgetActivity {
    const dropped = { ...this.#seen.dropped, ...(this.#dropped > 0 && { calls: this.#dropped }) };
    return { ...this.#seen, calls: [...this.#calls], dropped };
  }

  see(seen: SeenOfPage): void {
    const before = this.#seen;
    this.#seen = {
      consoleLines: [...before.consoleLines, ...seen.consoleLines],
      messages: [...before.messages, ...seen.messages],
      links: [...before.links, ...seen.links],
      refused: [...before.refused, ...seen.refused],
      ...(seen.size !== undefined && { size: seen.size }),
      dropped: seen.dropped,
    };
  }

  async serve(request: HostRequest): Promise<HostReply> {
    if (request.kind === 'fetch') return replyOf(this.#fetch(request.fetch));
    this.#asked += 1;
    const asked = JSON.stringify(request);
    this.#keptChars += asked.length;
    if (this.#asked > mostCalls || this.#keptChars > mostKeptChars) {
      this.#dropped += 1;
      return { refusal: `A widget may send its server ${mostCalls} requests, with 32 MiB in all.` };
    }
    const askedAt = performance.now();
    const answering = replyOf(this.#ask(request)).then((reply) => ({
      reply,
      tookMs: performance.now() - askedAt,
    }));
    this.#answers.push({ asked, answering });
    const { reply } = await answering;
    this.#keptChars += JSON.stringify(reply).length;
    if (request.kind === 'callTool') this.#calls.push(callOf(request, reply));
    return reply;
  }

  /**
   * Returns a function that answers like the server did: the same answers in the same order and
   * with the same delays. The real server is not called again, because a second try must not change
   * anything there, and its speed must not influence the result.
   */
  replay(): (request: HostRequest) => Promise<HostReply> {
    const left = [...this.#answers];
    return async (request) => {
      if (request.kind === 'fetch') return replyOf(this.#fetch(request.fetch));
      const at = left.findIndex(({ asked }) => asked === JSON.stringify(request));
      const [found] = at < 0 ? [] : left.splice(at, 1);
      if (found === undefined)
        return {
          refusal:
            'The widget is shown for the second time, so a new request is not sent to the server.',
        };
      const askedAt = performance.now();
      const { reply, tookMs } = await found.answering;
      await after(tookMs - (performance.now() - askedAt));
      return reply;
    };
  }

  #ask(request: Asked): Promise<unknown> {
    return request.kind === 'callTool'
      ? this.#host.callTool(request.name, request.input)
      : this.#host.readResource(request.uri);
  }
}

interface AnswerOfServer {
  readonly asked: string;
  /** Resolves when the server has answered. */
  readonly answering: Promise<{ readonly reply: HostReply; readonly tookMs: number }>;
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}

async function replyOf(work: Promise<unknown>): Promise<HostReply> {
  try {
    return { value: await work };
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : String(error) };
  }
}

function callOf(
  { name, input }: Extract<Asked, { kind: 'callTool' }>,
  reply: HostReply,
): WidgetCall {
  const call = { toolName: name, arguments: input };
  if ('refusal' in reply) {
    return { ...call, outcome: 'refused', message: reply.refusal.slice(0, mostChars) };
  }
  const { value } = reply;
  const isError = isRecord(value) && value['isError'] === true;
  return isError
    ? { ...call, outcome: 'error', message: 'The tool answered with an error.' }
    : { ...call, outcome: 'answered' };
}
