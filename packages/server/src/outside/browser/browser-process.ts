/**
 * The service's side of a process with one browser. Every order has a time limit. If the process
 * exceeds a limit or ends, it is not used any more, and its browser ends too. The process gets none
 * of the service's settings.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BrowserFound, TimeOfStep } from '@proofmark/domain';
import { startOf } from '../threads/run-in-thread.ts';
import { makeBrowserFolder, removeBrowserFolder } from './browser-folders.ts';
import type {
  BrowserAnswers,
  BrowserOrder,
  BrowserSettings,
  FromBrowserProcess,
  HostReply,
  HostRequest,
  SeenOfPage,
  ToBrowserProcess,
} from './browser-messages.ts';
import { answered, type DownFacts, PageFailure } from './page-failure.ts';
import { BrowserLost } from './widget-renderer.ts';

export interface BrowserUser {
  serve(request: HostRequest): Promise<HostReply>;
  see(seen: SeenOfPage): void;
}

/** The answer to an order with its duration, and how much of it the browser could not run. */
export interface TimedAnswer<Value> {
  readonly value: Value;
  readonly time: TimeOfStep;
}

/**
 * The time limit for starting a browser, in milliseconds. A start takes about a second, but longer
 * on a busy machine.
 */
const startMs = 30_000;
const closeMs = 3_000;

type StartedBrowser = Omit<BrowserFound, 'failedBefore'>;

/** Thrown if the browser itself reports why it did not start. Another way to start it may work. */
export class PipeFailed extends BrowserLost {}

export class BrowserProcess {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #guests = new Map<number, BrowserUser>();
  readonly #waiting = new Map<number, (end: FromBrowserProcess | undefined) => void>();
  readonly ended: Promise<void>;
  #isOver = false;
  /**
   * Whether the process ended although nobody ended it. No widget can cause this: a widget can
   * crash the browser, but not this process.
   */
  #isKilled = false;
  /** Why the browser ended, as reported by its process. */
  #gone: string | undefined;
  #last = 0;
  #found: StartedBrowser | undefined;

  /** Starts a browser process. Throws BrowserLost if none can be started. */
  static async start(settings: BrowserSettings): Promise<BrowserProcess> {
    const folder = await makeBrowserFolder(settings.way.user);
    const browser = new BrowserProcess(settings, folder);
    try {
      const sentence = 'The browser did not start in time.';
      browser.#found = await answered(browser.#started(), startMs, { sentence });
      return browser;
    } catch (error) {
      browser.end();
      await browser.ended;
      if (error instanceof BrowserLost) throw error;
      throw new BrowserLost((error as Error).message);
    }
  }

  private constructor(settings: BrowserSettings, folder: string) {
    const { file, argv } = startOf(new URL('./browser-process-program.ts', import.meta.url));
    this.#folder = folder;
    this.#child = fork(fileURLToPath(file), [...argv, JSON.stringify(settings)], {
      cwd: folder,
      execArgv: [],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.ended = new Promise((resolve) => {
      const over = () => {
        this.#isKilled = !this.#isOver;
        this.#over();
        void removeBrowserFolder(this.#folder).then(resolve);
      };
      this.#child.once('exit', over);
      this.#child.once('error', over);
    });
    this.#child.on('message', (message: FromBrowserProcess) => this.#take(message));
    // An idle browser must not keep the service's process alive.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The number of open pages. */
  get guests(): number {
    return this.#guests.size;
  }

  get found(): StartedBrowser {
    if (this.#found === undefined) throw new Error('Internal fault: the browser has not started.');
    return this.#found;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  enter(guest: BrowserUser): number {
    this.#last += 1;
    this.#guests.set(this.#last, guest);
    return this.#last;
  }

  /**
   * Sends an order and returns the answer. Throws a PageFailure if the page or the browser crashes
   * or does not answer in time.
   */
  async order<Order extends BrowserOrder>(
    page: number,
    order: Order,
    timeoutMs: number,
  ): Promise<TimedAnswer<BrowserAnswers[Order['kind']]>> {
    if (this.#isOver) throw this.#down();
    this.#last += 1;
    const id = this.#last;
    const end = new Promise<FromBrowserProcess | undefined>((resolve) =>
      this.#waiting.set(id, resolve),
    );
    this.#send({ type: 'order', id, page, order });
    try {
      const answer = await answered(end, timeoutMs);
      if (answer?.type === 'answer') {
        return { value: answer.value as BrowserAnswers[Order['kind']], time: answer.time };
      }
      if (answer?.type === 'down') throw new PageFailure(answer.sentence, answer);
      throw this.#down();
    } catch (error) {
      // The browser process limits every order itself. If it does not report even a timeout, it
      // hangs and must be ended.
      if (this.#waiting.has(id)) this.end();
      throw error;
    } finally {
      this.#waiting.delete(id);
    }
  }

  /**
   * Closes a page. Returns false if the browser did not close it. The caller then ends the browser
   * once its other pages are closed.
   */
  async leave(page: number): Promise<boolean> {
    this.#guests.delete(page);
    if (this.#isOver) return false;
    return this.order(page, { kind: 'close' }, closeMs * 2).then(
      () => true,
      () => false,
    );
  }

  /**
   * Ends the process and with it the browser. If the process must be killed, the browser ends
   * because its pipe is closed.
   */
  end(): void {
    if (this.#isOver && this.#child.exitCode !== null) return;
    this.#over();
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), closeMs);
    void this.ended.then(() => clearTimeout(timer));
  }

  #down(): PageFailure {
    const isGone = this.#gone !== undefined;
    const facts: DownFacts = { isOurs: this.#isKilled, hasEnded: isGone };
    return new PageFailure(this.#gone ?? 'The browser stopped unexpectedly.', facts);
  }

  #over(): void {
    this.#isOver = true;
    for (const finish of [...this.#waiting.values()]) finish(undefined);
  }

  #started(): Promise<StartedBrowser> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(0, (end) => {
        this.#waiting.delete(0);
        if (end?.type === 'started') resolve(end);
        else if (end?.type === 'notStarted') reject(new PipeFailed(end.sentence));
        else reject(new BrowserLost('The browser could not be started.'));
      });
    });
  }

  #take(message: FromBrowserProcess): void {
    switch (message.type) {
      case 'started':
      case 'notStarted':
        this.#waiting.get(0)?.(message);
        break;
      case 'gone':
        this.#gone = message.sentence;
        this.end();
        break;
      case 'answer':
      case 'down':
        this.#waiting.get(message.id)?.(message);
        this.#waiting.delete(message.id);
        break;
      case 'seen':
        this.#guests.get(message.page)?.see(message.seen);
        break;
      case 'request':
        void this.#serve(message.id, message.page, message.request);
        break;
    }
  }

  async #serve(id: number, page: number, request: HostRequest): Promise<void> {
    const guest = this.#guests.get(page);
    const reply = (await guest?.serve(request)) ?? { refusal: 'The widget is closed.' };
    this.#send({ type: 'reply', id, reply });
  }

  #send(message: ToBrowserProcess): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }
}
