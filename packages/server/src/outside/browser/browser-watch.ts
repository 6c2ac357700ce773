/**
 * Watches a browser while pages are open: its memory over all of its processes, and the time that it or the process that
 * holds it lost. A browser that passes the bound loses the page that grew most, or ends where no page did. A machine whose
 * /proc cannot be read measures nothing, which `isMeasured` says.
 */
import {
  lostToOthers,
  memoryOf,
  type TimeOfStep,
  tooMuchMemory,
  tooMuchMemoryText,
} from '@proofmark/domain';
import { machineCpuMs, ProcessTree, type SeenProcess } from './process-tree.ts';

/** Short, since a widget may take gigabytes in a second. */
const everyMs = 100;
/** The normal lateness of a timer. */
const usualLatenessMs = 30;
/** A page that goes down this soon after a process was killed went down because of it. */
const rememberedMs = 3000;

export class BrowserWatch {
  readonly #tree: ProcessTree;
  readonly #boundBytes: number;
  #processes: readonly SeenProcess[] = [];
  #timer: NodeJS.Timeout | undefined;
  #users = 0;
  #lookedAt = 0;
  /** Time that the browser's own process waited for a processor, until the last look. */
  #waitedMs = 0;
  #lostMs = 0;
  #lastEnd: { readonly pid: number; readonly sentence: string; readonly atMs: number } | undefined;

  constructor(boundBytes: number) {
    this.#tree = new ProcessTree(process.pid);
    this.#boundBytes = boundBytes;
  }

  /** Whether the processes of the browser are visible at all. */
  get isMeasured(): boolean {
    this.#processes = this.#tree.read();
    return this.#processes.some(({ anonymousBytes }) => anonymousBytes > 0);
  }

  /** Whether the processes of pages are in separate namespaces. */
  get isSandboxed(): boolean {
    const own = new ProcessTree(process.ppid).read().find(({ pid }) => pid === process.pid);
    return this.#tree.read().some(({ namespaces }) => namespaces > (own?.namespaces ?? 1));
  }

  /** Watches until the returned function is called. */
  keep(): () => void {
    this.#users += 1;
    if (this.#users === 1) {
      this.#lookedAt = performance.now();
      this.#waitedMs = this.#tree.waitedMsOfRoot();
      this.#processes = this.#tree.read();
      this.#timer = setInterval(() => this.#look(), everyMs);
    }
    let isKept = true;
    return () => {
      if (!isKept) return;
      isKept = false;
      this.#users -= 1;
      if (this.#users === 0) clearInterval(this.#timer);
    };
  }

  /** Returns the reason why a page went down just now, if it was killed for its memory. */
  whyDown(): string | undefined {
    const last = this.#lastEnd;
    return last !== undefined && performance.now() - last.atMs < rememberedMs
      ? last.sentence
      : undefined;
  }

  /** Returns a function that measures the time since this call. Only while watching. */
  time(): () => TimeOfStep {
    const beganAt = performance.now();
    this.#look();
    const lostBefore = this.#lostMs;
    const machineBefore = machineCpuMs();
    const ownBefore = this.#ownCpuMs();
    return () => {
      this.#look();
      const lostMs = this.#lostMs - lostBefore;
      const [own, all] = [this.#ownCpuMs() - ownBefore, machineCpuMs() - machineBefore];
      return {
        elapsedMs: Math.round(performance.now() - beganAt),
        lostMs: Math.round(lostMs),
        lostToOthersMs: Math.round(lostToOthers(lostMs, own, all)),
      };
    };
  }

  #ownCpuMs(): number {
    return this.#processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  }

  #look(): void {
    const now = performance.now();
    const sinceMs = now - this.#lookedAt;
    this.#lookedAt = now;
    const before = new Map(this.#processes.map((one) => [one.pid, one]));
    this.#processes = this.#tree.read();
    const lateMs = sinceMs - everyMs > usualLatenessMs ? sinceMs - everyMs : 0;
    const lost = this.#processes.map((one) => {
      const last = before.get(one.pid);
      if (last === undefined) return 0;
      return one.isStopped && last.isStopped ? sinceMs : one.waitedMs - last.waitedMs;
    });
    const waitedBefore = this.#waitedMs;
    this.#waitedMs = this.#tree.waitedMsOfRoot();
    // The browser's process and the browser work in turns: while one waits for the processor, the other waits for it.
    const inTurns = this.#waitedMs - waitedBefore + Math.max(...lost, 0);
    this.#lostMs += Math.min(sinceMs, Math.max(lateMs, inTurns));
    this.#bound(now);
  }

  #bound(now: number): void {
    const passed = tooMuchMemory(this.#processes, this.#boundBytes);
    if (passed === undefined) return;
    // Memory is released a moment after its process was killed.
    const last = this.#processes.find(({ pid }) => pid === this.#lastEnd?.pid);
    if (last !== undefined && memoryOf(last) > 0) return;
    const browser = this.#processes.find(({ parent }) => parent === process.pid);
    const pid = passed.endRenderer ?? browser?.pid;
    if (pid === undefined) return;
    const sentence = tooMuchMemoryText(passed.totalBytes, this.#boundBytes);
    this.#lastEnd = { pid, sentence, atMs: now };
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
}
