/**
 * The processes below one, as Linux shows them in /proc: what each holds in memory, how long it waited for the processor,
 * and whether it is stopped. Only files that every user may read are read: those of a sandboxed process hide the rest.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessMemory } from '@proofmark/domain';

export interface SeenProcess extends ProcessMemory {
  readonly parent: number;
  readonly isStopped: boolean;
  /** On the processor, over all of its threads. */
  readonly cpuMs: number;
  /** For how long its first thread wanted the processor and did not get it, since it began. */
  readonly waitedMs: number;
  /** How many process namespaces it is in; in a sandbox more than one. */
  readonly namespaces: number;
}

const msPerTick = 10;

export class ProcessTree {
  readonly #root: number;
  /** Whatever was found below the root stays there, though its parent may have ended. */
  readonly #below = new Set<number>();
  readonly #elsewhere = new Set<number>();
  readonly #renderers = new Set<number>();

  constructor(root: number) {
    this.#root = root;
  }

  /** None where there is no /proc, or where it hides the processes. */
  read(): readonly SeenProcess[] {
    this.#find();
    return [...this.#below].flatMap((pid) => this.#seen(pid) ?? []);
  }

  /** For how long the first thread of the process above wanted the processor and did not get it, since it began. */
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

  /** A process that was just forked has the command of its parent for a moment, so only a yes is kept. */
  #isRenderer(pid: number): boolean {
    if (this.#renderers.has(pid)) return true;
    const is = textOf(`/proc/${pid}/cmdline`)?.includes('--type=renderer') === true;
    if (is) this.#renderers.add(pid);
    return is;
  }
}

/** What all processes of the machine had of its processors, since it started. */
export function machineCpuMs(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] =
    textOf('/proc/stat')?.split('\n', 1)[0]?.split(/\s+/).map(Number) ?? [];
  return (user + nice + system + irq + softirq + steal) * msPerTick;
}

function waitedMsOf(pid: number): number {
  return Number(textOf(`/proc/${pid}/schedstat`)?.split(' ')[1] ?? 0) / 1e6;
}

/** What follows the name of the program, which may hold anything: its state, its parent, and so on. */
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
