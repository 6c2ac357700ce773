/**
 * The descendants of a process, read from Linux's /proc: the memory of each, how long it waited for
 * the processor, and whether it is stopped. Only files that every user may read are used, because a
 * sandboxed process hides all others.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessMemory } from '@proofmark/domain';

export interface SeenProcess extends ProcessMemory {
  readonly parent: number;
  readonly isStopped: boolean;
  /** The processor time of all threads of the process, in milliseconds. */
  readonly cpuMs: number;
  /**
   * The milliseconds since the start of the process in which its main thread could have run but had
   * no processor.
   */
  readonly waitedMs: number;
  /** The number of process namespaces around the process. In a sandbox, there is more than one. */
  readonly namespaces: number;
}

const msPerTick = 10;

export class ProcessTree {
  readonly #root: number;
  /** The known descendants of the root. A process stays listed even if its parent has ended. */
  readonly #below = new Set<number>();
  readonly #elsewhere = new Set<number>();
  readonly #renderers = new Set<number>();

  constructor(root: number) {
    this.#root = root;
  }

  /** Returns an empty list if /proc is missing or hides the processes. */
  read(): readonly SeenProcess[] {
    this.#find();
    return [...this.#below].flatMap((pid) => this.#seen(pid) ?? []);
  }

  /**
   * Returns the total milliseconds in which the root process's main thread was runnable but had no
   * processor.
   */
  waitedMsOfRoot(): number {
    return waitedMsOf(this.#root);
  }

  #find(): void {
    const pids = numbersIn('/proc');
    const there = new Set(pids);
    for (const known of [this.#below, this.#elsewhere, this.#renderers]) {
      for (const pid of known) if (!there.has(pid)) known.delete(pid);
    }
    const parents = new Map<number, number>();
    for (const pid of pids) {
      if (this.#below.has(pid) || this.#elsewhere.has(pid) || pid === this.#root) continue;
      const parent = Number(statOf(pid)?.[1]);
      if (Number.isInteger(parent)) parents.set(pid, parent);
    }
    const isBelow = (pid: number): boolean => {
      const parent = parents.get(pid);
      if (parent === undefined) return this.#below.has(pid);
      return parent === this.#root || this.#below.has(parent) || isBelow(parent);
    };
    for (const pid of parents.keys()) (isBelow(pid) ? this.#below : this.#elsewhere).add(pid);
  }

  #seen(pid: number): SeenProcess | undefined {
    const stat = statOf(pid);
    const status = textOf(`/proc/${pid}/status`);
    if (stat === undefined || status === undefined) return undefined;
    const kilobytes = (name: string) =>
      1024 * Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return {
      pid,
      parent: Number(stat[1]),
      isRenderer: this.#isRenderer(pid),
      anonymousBytes: kilobytes('RssAnon'),
      sharedBytes: kilobytes('RssShmem'),
      fileBytes: kilobytes('RssFile'),
      isStopped: stat[0] === 'T' || stat[0] === 't',
      cpuMs: (Number(stat[11]) + Number(stat[12])) * msPerTick,
      waitedMs: waitedMsOf(pid),
      namespaces: /^NSpid:(.*)$/m.exec(status)?.[1]?.trim().split(/\s+/).length ?? 1,
    };
  }

  /**
   * Right after a fork, a process still has its parent's command line. Only a positive result is
   * therefore remembered.
   */
  #isRenderer(pid: number): boolean {
    if (this.#renderers.has(pid)) return true;
    const is = textOf(`/proc/${pid}/cmdline`)?.includes('--type=renderer') === true;
    if (is) this.#renderers.add(pid);
    return is;
  }
}

/** Returns the processor time of all processes of the machine since it started, in milliseconds. */
export function machineCpuMs(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] =
    textOf('/proc/stat')?.split('\n', 1)[0]?.split(/\s+/).map(Number) ?? [];
  return (user + nice + system + irq + softirq + steal) * msPerTick;
}

function waitedMsOf(pid: number): number {
  return Number(textOf(`/proc/${pid}/schedstat`)?.split(' ')[1] ?? 0) / 1e6;
}

/**
 * Returns the fields after the program name: the state, the parent, and so on. The name is skipped,
 * because it may contain any character.
 */
function statOf(pid: number): string[] | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
