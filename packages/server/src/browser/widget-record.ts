/** What the service records of one widget: all that was seen of its page, and its calls with their answers. */
import { isRecord, type WidgetCall, type WidgetTrail } from '@proofmark/domain';
import type {
  HostReply,
  HostRequest,
  PageRequest,
  PageResponse,
  SeenOfPage,
} from './room-messages.ts';
import type { WidgetHost } from './widget-renderer.ts';

const mostCalls = 100;
const mostChars = 1000;

type Asked = Exclude<HostRequest, { kind: 'fetch' }>;

export class WidgetRecord {
  readonly #host: WidgetHost;
  readonly #fetch: (request: PageRequest) => Promise<PageResponse>;
  readonly #answers: { readonly asked: string; readonly reply: HostReply }[] = [];
  readonly #calls: WidgetCall[] = [];
  #asked = 0;
  #dropped = 0;
  #seen: SeenOfPage = { consoleLines: [], messages: [], links: [], refused: [], dropped: {} };

  constructor(host: WidgetHost, fetch: (request: PageRequest) => Promise<PageResponse>) {
    this.#host = host;
    this.#fetch = fetch;
  }

  get calls(): readonly WidgetCall[] {
    return this.#calls;
  }

  trail(): WidgetTrail {
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
    if (this.#asked > mostCalls) {
      this.#dropped += 1;
      return { refusal: `A widget may ask its server ${mostCalls} times at most.` };
    }
    const reply = await replyOf(this.#ask(request));
    this.#answers.push({ asked: JSON.stringify(request), reply });
    if (request.kind === 'callTool') this.#calls.push(callOf(request, reply));
    return reply;
  }

  /** The same answers in the same order, and no new calls: the server did not ask for a second try. */
  replay(): (request: HostRequest) => Promise<HostReply> {
    const left = [...this.#answers];
    return async (request) => {
      if (request.kind === 'fetch') return replyOf(this.#fetch(request.fetch));
      const at = left.findIndex(({ asked }) => asked === JSON.stringify(request));
      const [found] = at < 0 ? [] : left.splice(at, 1);
      return found?.reply ?? { refusal: 'The server is not asked again.' };
    };
  }

  #ask(request: Asked): Promise<unknown> {
    return request.kind === 'callTool'
      ? this.#host.callTool(request.name, request.input)
      : this.#host.readResource(request.uri);
  }
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
