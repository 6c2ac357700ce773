/**
 * Records a page's console output, messages, links and refused requests, within limits, and reports
 * new records to the service.
 */
import type { ConsoleLine, RefusedRequest } from '@proofmark/domain';
import type { SeenOfPage } from './browser-messages.ts';

const mostOf = { consoleLines: 200, messages: 100, links: 100, refused: 100 };
const mostChars = 1000;
const flushMs = 50;

type ListName = keyof typeof mostOf;

export class PageRecord {
  readonly #report: (seen: SeenOfPage) => void;
  #startedAt: number | undefined;
  #onBegin: () => void = () => undefined;
  /** Resolves when the browser receives the widget's document. */
  readonly begun = new Promise<void>((resolve) => {
    this.#onBegin = resolve;
  });
  readonly #counts: Record<ListName, number> = {
    consoleLines: 0,
    messages: 0,
    links: 0,
    refused: 0,
  };
  readonly #dropped: Record<string, number> = {};
  #fresh = nothingSeen();
  #size: SeenOfPage['size'];
  #timer: NodeJS.Timeout | undefined;
  /** The first error of the widget, for the message that it never became ready. */
  firstError: string | undefined;

  constructor(report: (seen: SeenOfPage) => void) {
    this.#report = report;
  }

  /** Starts the widget's time limit. Time before this call is Proofmark's and does not count. */
  begin(): void {
    this.#startedAt ??= performance.now();
    this.#onBegin();
  }

  get hasBegun(): boolean {
    return this.#startedAt !== undefined;
  }

  elapsedMs(): number {
    return this.#startedAt === undefined ? 0 : Math.round(performance.now() - this.#startedAt);
  }

  line(level: ConsoleLine['level'], text: string): void {
    if (level === 'error') this.firstError ??= cut(text);
    if (!this.#fits('consoleLines')) return;
    this.#fresh.consoleLines.push({ level, text: cut(text), atMs: this.elapsedMs() });
  }

  message(text: string): void {
    if (this.#fits('messages')) this.#fresh.messages.push(cut(text));
  }

  link(url: string): void {
    if (this.#fits('links')) this.#fresh.links.push(cut(url));
  }

  refuse(what: RefusedRequest['what'], url: string): void {
    if (this.#fits('refused')) this.#fresh.refused.push({ what, url: cut(url) });
  }

  size(size: NonNullable<SeenOfPage['size']>): void {
    this.#size = size;
    this.#later();
  }

  drop(list: string, count: number): void {
    this.#dropped[list] = (this.#dropped[list] ?? 0) + count;
    this.#later();
  }

  flush(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const size = this.#size;
    this.#report({ ...this.#fresh, ...(size && { size }), dropped: { ...this.#dropped } });
    this.#fresh = nothingSeen();
  }

  #fits(list: ListName): boolean {
    if (this.#counts[list] >= mostOf[list]) {
      this.drop(list, 1);
      return false;
    }
    this.#counts[list] += 1;
    this.#later();
    return true;
  }

  #later(): void {
    this.#timer ??= setTimeout(() => this.flush(), flushMs);
  }
}

function nothingSeen() {
  return {
    consoleLines: [] as ConsoleLine[],
    messages: [] as string[],
    links: [] as string[],
    refused: [] as RefusedRequest[],
  };
}

function cut(text: string): string {
  return text.length > mostChars ? `${text.slice(0, mostChars - 1)}…` : text;
}
