/**
 * Simulates workers on one PostgreSQL, event by event.
 * - A worker is one thread with several slots. A slot processes slices of 20 trials.
 * - To claim a slice, a process needs the claim lock, which all processes share.
 * - A trial uses CPU of its worker between waits for the model and the MCP server. Its result is
 *   written in a transaction that locks the run.
 * - Results that arrive during a transaction of the same process and run are written together in
 *   the next transaction.
 * - A process with a free slot claims work once a second and after each notification.
 */
import { type Chance, chanceOf } from './chance.ts';
import { Clock } from './clock.ts';
import type { ServiceTimes } from './service-times.ts';
import { Station } from './station.ts';
import { type ClaimedSlice, WorkToClaim } from './work-to-claim.ts';

export interface Setup {
  readonly workers: number;
  readonly slotsEach: number;
  /** Number of open runs; `atOncePerRun` is the number of concurrent trials of one run. */
  readonly runs: number;
  readonly atOncePerRun: number;
  /** If absent, the work never ends. */
  readonly trialsOfRun?: number;
  /**
   * Duration of each of the two model answers. `toolSeconds` is the duration of the tool call
   * between them.
   */
  readonly modelSeconds: number;
  readonly toolSeconds: number;
  /** Variation of a wait: 0.5 varies it from half to one and a half times its length. */
  readonly spread: number;
  readonly postgresCores: number;
  /** Whether the workers, the model and the MCP server share PostgreSQL's cores. */
  readonly isOneMachine: boolean;
  /**
   * The measured period, in simulated seconds, after an equal period that is not measured. The
   * measurement ends early if the work ends.
   */
  readonly seconds: number;
  readonly seed: number;
}

export interface Simulated {
  readonly trialsPerSecond: number;
  readonly trialSeconds: number;
  /** Average number of running trials. */
  readonly underWay: number;
  /** Number of busy cores of PostgreSQL, including other work on the same cores. */
  readonly postgresBusy: number;
  /** Share of time in which the claim lock was held; `claimWait` is the wait for the lock. */
  readonly claimLockBusy: number;
  readonly claimWait: number;
  readonly workerBusy: number;
  /** Longest time, in seconds, that a process waited for the renewal of its leases. */
  readonly longestLook: number;
}

interface Worker {
  readonly id: number;
  readonly thread: Station;
  busy: number;
  isClaiming: boolean;
  mustClaimAgain: boolean;
  isAwake: boolean;
  /**
   * Whether a notification of free slots is on its way to the worker. Further notifications are
   * merged into that one.
   */
  isNotifying: boolean;
}

const slice = 20;
const betweenWakes = 0.1;
const poll = 1;
const look = 0.4;
/** Round trips of a transaction before its commit. */
const roundTrips = 3;

export function simulate(times: ServiceTimes, setup: Setup): Simulated {
  return new Simulation(times, setup).run();
}

class Simulation {
  readonly #times: ServiceTimes;
  readonly #setup: Setup;
  readonly #clock = new Clock();
  readonly #chance: Chance;
  readonly #postgres: Station;
  readonly #claimLock: Station;
  readonly #underWay: Station;
  readonly #model: Station;
  readonly #server: Station;
  readonly #work: WorkToClaim;
  readonly #workers: Worker[];
  readonly #runLocks: Station[];
  readonly #writing = new Map<string, (() => void)[]>();
  #done = 0;
  #lastDoneAt = 0;
  #longestLook = 0;

  constructor(times: ServiceTimes, setup: Setup) {
    const station = (slots: number) => new Station(this.#clock, slots);
    this.#times = times;
    this.#setup = setup;
    this.#chance = chanceOf(setup.seed);
    this.#postgres = station(setup.postgresCores);
    this.#claimLock = station(1);
    this.#underWay = station(Number.POSITIVE_INFINITY);
    [this.#model, this.#server] = [station(1), station(1)];
    this.#work = new WorkToClaim(setup.runs, setup.atOncePerRun, setup.trialsOfRun, slice);
    this.#runLocks = Array.from({ length: setup.runs }, () => station(1));
    this.#workers = Array.from({ length: setup.workers }, (_, id) => ({
      id,
      thread: station(1),
      busy: 0,
      isClaiming: false,
      mustClaimAgain: false,
      isAwake: false,
      isNotifying: false,
    }));
  }

  run(): Simulated {
    const { seconds, trialsOfRun, workers } = this.#setup;
    for (const worker of this.#workers) this.#begin(worker, trialsOfRun === undefined);
    const warmUp = trialsOfRun === undefined ? seconds : 0;
    this.#clock.run(warmUp);
    const before = this.#reading();
    this.#clock.run(warmUp + seconds);
    const after = this.#reading();
    const took = trialsOfRun === undefined ? seconds : this.#lastDoneAt;
    const each = (name: keyof typeof after) => (after[name] - before[name]) / took;
    const trialsPerSecond = each('done');
    return {
      trialsPerSecond,
      trialSeconds: each('underWay') / trialsPerSecond,
      underWay: each('underWay'),
      postgresBusy: each('postgres'),
      claimLockBusy: each('claimLock'),
      claimWait: (after.claimWaited - before.claimWaited) / (after.claims - before.claims || 1),
      workerBusy: each('threads') / workers,
      longestLook: this.#longestLook,
    };
  }

  #reading() {
    return {
      done: this.#done,
      underWay: this.#underWay.usedSeconds,
      postgres: this.#postgres.usedSeconds,
      claimLock: this.#claimLock.usedSeconds,
      claims: this.#claimLock.uses,
      claimWaited: this.#claimLock.waitedSeconds,
      threads: this.#workers.reduce((sum, { thread }) => sum + thread.usedSeconds, 0),
    };
  }

  /** Starts a worker with all slots busy (`isInTheMidst`) or all free. */
  #begin(worker: Worker, isInTheMidst: boolean): void {
    if (isInTheMidst) {
      for (let slot = 0; slot < this.#setup.slotsEach; slot += 1) {
        const found = this.#work.claim();
        if (found === undefined) break;
        worker.busy += 1;
        const left = 1 + Math.floor(this.#chance() * slice);
        this.#clock.after(this.#chance(), () => this.#runTrials(worker, found.run, left));
      }
    }
    this.#clock.after(this.#chance() * (isInTheMidst ? poll : 0), () => this.#pollOn(worker));
    this.#clock.after(this.#chance() * look, () => this.#lookOn(worker));
  }

  #pollOn(worker: Worker): void {
    this.#fill(worker);
    if (!this.#isOver()) this.#clock.after(poll, () => this.#pollOn(worker));
  }

  /**
   * Simulates the periodic requests of a process, such as renewing its leases. While a request is
   * late, no further one is sent.
   */
  #lookOn(worker: Worker): void {
    const { workerCpu, postgresCpu } = worker.busy > 0 ? this.#times.holding : this.#times.idle;
    const startedAt = this.#clock.now;
    this.#postgres.use(postgresCpu * look, () =>
      this.#compute(worker.thread, workerCpu * look, () => {
        const took = this.#clock.now - startedAt;
        this.#longestLook = Math.max(this.#longestLook, took);
        if (!this.#isOver())
          this.#clock.after(Math.max(0, look - took), () => this.#lookOn(worker));
      }),
    );
  }

  #isOver(): boolean {
    const { trialsOfRun, runs } = this.#setup;
    return trialsOfRun !== undefined && this.#done >= trialsOfRun * runs;
  }

  #fill(worker: Worker): void {
    if (worker.busy >= this.#setup.slotsEach) return;
    if (worker.isClaiming) {
      worker.mustClaimAgain = true;
      return;
    }
    worker.isClaiming = true;
    this.#claimLock.take(() => this.#claim(worker));
  }

  #claim(worker: Worker): void {
    const cost = this.#times.claim(this.#work.openGroups);
    const found: ClaimedSlice[] = [];
    const free = this.#setup.slotsEach - worker.busy;
    while (found.length < free) {
      const next = this.#work.claim();
      if (next === undefined) break;
      found.push(next);
    }
    const isShort = found.length < free ? 1 : 0;
    const cpu = found.length * cost.cpu + isShort * cost.emptyCpu;
    const held = found.length * cost.held + isShort * cost.emptyHeld;
    this.#postgres.use(cpu, () =>
      this.#clock.after(Math.max(0, held - cpu), () => {
        this.#claimLock.give();
        worker.isClaiming = false;
        for (const { run, trials } of found) {
          worker.busy += 1;
          this.#transact(worker, run, this.#times.transactionCpu, () =>
            this.#runTrials(worker, run, trials),
          );
        }
        if (!worker.mustClaimAgain) return;
        worker.mustClaimAgain = false;
        this.#fill(worker);
      }),
    );
  }

  #runTrials(worker: Worker, run: number, left: number): void {
    if (left === 0) {
      this.#endSlice(worker, run);
      return;
    }
    this.#underWay.take(() =>
      this.#play(worker, () =>
        this.#write(worker, run, () => {
          this.#underWay.give();
          this.#done += 1;
          this.#lastDoneAt = this.#clock.now;
          this.#runTrials(worker, run, left - 1);
        }),
      ),
    );
  }

  /**
   * Simulates a trial: it opens a session, asks the model, calls the tool, asks the model again and
   * decides.
   */
  #play(worker: Worker, done: () => void): void {
    const { workerCpu, modelCpu, serverCpu } = this.#times;
    const { modelSeconds, toolSeconds, isOneMachine } = this.#setup;
    const asked = (thread: Station, cpu: number, waits: number, next: () => void) => () =>
      this.#clock.after(waits * this.#spread(), () =>
        isOneMachine ? this.#compute(thread, cpu, next) : next(),
      );
    const own = (next: () => void) => () => this.#compute(worker.thread, workerCpu / 5, next);
    const server = (waits: number, next: () => void) =>
      asked(this.#server, serverCpu / 2, waits, next);
    const model = (next: () => void) => asked(this.#model, modelCpu / 2, modelSeconds, next);
    own(server(0, own(model(own(server(toolSeconds, own(model(own(done)))))))))();
  }

  /**
   * While a transaction of the run is in progress, the result waits and is written with others in
   * the next one.
   */
  #write(worker: Worker, run: number, done: () => void): void {
    const key = `${worker.id} ${run}`;
    const waiting = this.#writing.get(key);
    if (waiting !== undefined) {
      waiting.push(done);
      return;
    }
    const travel = (together: readonly (() => void)[]) => {
      const { transactionCpu, trialCpu } = this.#times;
      const next: (() => void)[] = [];
      this.#writing.set(key, next);
      this.#transact(worker, run, transactionCpu + together.length * trialCpu, () => {
        this.#writing.delete(key);
        if (next.length > 0) travel(next);
        for (const one of together) one();
      });
    };
    travel([done]);
  }

  #endSlice(worker: Worker, run: number): void {
    this.#transact(worker, run, this.#times.transactionCpu, () => {
      worker.busy -= 1;
      if (this.#work.giveBack(run)) this.#notify();
      this.#fill(worker);
    });
  }

  #notify(): void {
    const { postgresCpu, workerCpu } = this.#times.notify;
    for (const worker of this.#workers) {
      if (worker.isNotifying) continue;
      worker.isNotifying = true;
      this.#postgres.use(postgresCpu, () => {
        worker.isNotifying = false;
        this.#compute(worker.thread, workerCpu, () => this.#wake(worker));
      });
    }
  }

  #wake(worker: Worker): void {
    if (worker.isAwake) return;
    worker.isAwake = true;
    this.#fill(worker);
    this.#clock.after(betweenWakes, () => {
      worker.isAwake = false;
      this.#fill(worker);
    });
  }

  #transact(worker: Worker, run: number, cpu: number, done: () => void): void {
    const lock = this.#runLocks[run] as Station;
    const trip = (left: number) => {
      if (left > 0) {
        this.#postgres.use(cpu / roundTrips, () =>
          this.#compute(worker.thread, 0, () => trip(left - 1)),
        );
        return;
      }
      this.#clock.after(this.#times.commit, () => {
        lock.give();
        this.#compute(worker.thread, 0, done);
      });
    };
    lock.take(() => trip(roundTrips));
  }

  /**
   * Occupies the worker's thread. If all processes share one machine, one of the shared cores is
   * occupied as well.
   */
  #compute(thread: Station, seconds: number, done: () => void): void {
    if (!this.#setup.isOneMachine) {
      thread.use(seconds, done);
      return;
    }
    thread.take(() =>
      this.#postgres.use(seconds, () => {
        thread.give();
        done();
      }),
    );
  }

  #spread(): number {
    return 1 + this.#setup.spread * (2 * this.#chance() - 1);
  }
}
