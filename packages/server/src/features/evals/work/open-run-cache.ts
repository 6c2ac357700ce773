/**
 * A run's inputs never change, so this process reads them once for all users of the run. After the
 * last user has left, the entry is closed and removed, above all to drop the model keys.
 */
import type { RunLocation } from '../store/run-location.ts';

interface Entry<Opened> {
  readonly run: Promise<Opened>;
  users: number;
  leaving: NodeJS.Timeout | undefined;
}

export class OpenRunCache<Opened extends { close(): Promise<void> }> {
  readonly #openRun: (place: RunLocation) => Promise<Opened>;
  readonly #open = new Map<string, Entry<Opened>>();

  constructor(openRun: (place: RunLocation) => Promise<Opened>) {
    this.#openRun = openRun;
  }

  async use<Result>(place: RunLocation, work: (run: Opened) => Promise<Result>): Promise<Result> {
    const { runId } = place;
    const entry = this.#open.get(runId) ?? {
      run: this.#openRun(place),
      users: 0,
      leaving: undefined,
    };
    this.#open.set(runId, entry);
    clearTimeout(entry.leaving);
    entry.users += 1;
    try {
      return await work(await this.#opened(runId, entry));
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#leave(runId, entry);
    }
  }

  /** If opening the run fails, the next user tries again. */
  async #opened(runId: string, entry: Entry<Opened>): Promise<Opened> {
    try {
      return await entry.run;
    } catch (error) {
      if (this.#open.get(runId) === entry) this.#open.delete(runId);
      throw error;
    }
  }

  /** Closes an ended run at once, unless the run is still in use. */
  forget(runId: string): void {
    const entry = this.#open.get(runId);
    if (entry?.users === 0) this.#end(runId, entry);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map(([runId, entry]) => this.#end(runId, entry)));
  }

  /**
   * The entry stays for a moment, because the worker of a slice soon returns for the next one and
   * would have to open everything again.
   */
  #leave(runId: string, entry: Entry<Opened>): void {
    entry.leaving = setTimeout(() => this.#end(runId, entry), betweenSlicesMs);
    entry.leaving.unref();
  }

  async #end(runId: string, entry: Entry<Opened>): Promise<void> {
    clearTimeout(entry.leaving);
    if (this.#open.get(runId) === entry) this.#open.delete(runId);
    await entry.run.then(
      (run) => run.close(),
      () => undefined,
    );
  }
}

const betweenSlicesMs = 1000;
