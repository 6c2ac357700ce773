/**
 * Watches the browser's memory and the time in which it got no processor. Above the memory limit,
 * the page process that grew most is killed, or the whole browser if none grew. Without a readable
 * /proc, nothing is measured and `isMeasured` is false.
 */
import {
  lostToOthers,
  memoryOf,
  type TimeOfStep,
  tooMuchMemory,
  tooMuchMemoryText,
} from '@proofmark/domain';
import { machineCpuMs, ProcessTree, type SeenProcess } from './process-tree.ts';

/**
 * The interval between measurements, in milliseconds. It is short, because a widget may allocate
 * gigabytes in a second.
 */
const everyMs = 100;
/** The usual delay of a timer, in milliseconds. It does not count as lost time. */
const usualLatenessMs = 30;
/**
 * The milliseconds after a process was killed for its memory during which a page's crash is
 * attributed to that kill.
 */
const rememberedMs = 3000;

export class BrowserWatch {
  readonly #tree: ProcessTree;
  readonly #boundBytes: number;
  #processes: readonly SeenProcess[] = [];
  #timer: NodeJS.Timeout | undefined;
  #users = 0;
  #lookedAt = 0;
  /** The milliseconds for which this process had waited for a processor at the last measurement. */
  #waitedMs = 0;
  #lostMs = 0;
  #lastEnd: { readonly pid: number; readonly sentence: string; readonly atMs: number } | undefined;

  constructor(boundBytes: number) {
    this.#tree = new ProcessTree(process.pid);
    this.#boundBytes = boundBytes;
  }

  get isMeasured(): boolean {
    this.#processes = this.#tree.read();
    return this.#processes.some(({ anonymousBytes }) => anonymousBytes > 0);
  }

  /** Whether the processes of pages run in separate namespaces, which the sandbox creates. */
  get isSandboxed(): boolean {
    const own = new ProcessTree(process.ppid).read().find(({ pid }) => pid === process.pid);
    return this.#tree.read().some(({ namespaces }) => namespaces > (own?.namespaces ?? 1));
  }

  /** Watches the browser until the returned function is called. */
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

  /** Returns the reason if a page just crashed because its process was killed for its memory. */
  whyDown(): string | undefined {
    const last = this.#lastEnd;
    return last !== undefined && performance.now() - last.atMs < rememberedMs
      ? last.sentence
      : undefined;
  }

  /**
   * Starts measuring and returns a function that returns the time since then. Works only while the
   * browser is watched.
   */
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
    // This process and the browser wait for each other. Time without a processor is therefore lost
    // for both, so the waits are added.
    const inTurns = this.#waitedMs - waitedBefore + Math.max(...lost, 0);
    this.#lostMs += Math.min(sinceMs, Math.max(lateMs, inTurns));
    this.#bound(now);
  }

  #bound(now: number): void {
    const passed = tooMuchMemory(this.#processes, this.#boundBytes);
    if (passed === undefined) return;
    // The memory of a killed process is released with a delay. Until it is released, no second
    // process is killed.
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
      // The process has already ended.
    }
  }
}
