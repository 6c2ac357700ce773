/**
 * Pauses clocks while a model request waits for a slot of Proofmark, or is retried because of the
 * provider's rate limit. The conversation did not cause these waits. Two limits remain: the number
 * of retries, and the end of the run.
 */
import type { Deadline } from '@proofmark/domain';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import type { RunServers, TimeLeft, TrialServers } from './run-servers.ts';

export type Clock = Pick<Deadline, 'hold' | 'goOn'>;

export function withPausedClocks(
  models: Pick<ModelGateway, 'generate'>,
  clocks: readonly Clock[],
): Pick<ModelGateway, 'generate'> {
  return {
    async generate(model, request, options) {
      let isWaiting = false;
      const wait = (waits: boolean) => {
        if (waits === isWaiting) return;
        isWaiting = waits;
        for (const clock of clocks) waits ? clock.hold() : clock.goOn();
      };
      const onSent = (isSent: boolean) => {
        wait(!isSent);
        options.onSent?.(isSent);
      };
      wait(true);
      try {
        return await models.generate(model, request, { ...options, onSent });
      } finally {
        wait(false);
      }
    },
  };
}

/** Pauses the clock only while a request waits for credits. */
export function heldForCredits(
  models: Pick<ModelGateway, 'generate'>,
  clock: Clock,
): Pick<ModelGateway, 'generate'> {
  const onHeld = (isHeld: boolean) => (isHeld ? clock.hold() : clock.goOn());
  return {
    generate: (model, request, options) => models.generate(model, request, { ...options, onHeld }),
  };
}

/**
 * Passes the remaining time to each request. If a provider asks to wait longer than that, the
 * request is not retried.
 */
export function withTimeLeft(
  models: Pick<ModelGateway, 'generate'>,
  time: TimeLeft,
): Pick<ModelGateway, 'generate'> {
  const remainingMs = () => time.remainingMs();
  return {
    generate: (model, request, options) =>
      models.generate(model, request, { ...options, remainingMs }),
  };
}

export function allClocks(clocks: readonly Clock[]): Clock {
  return {
    hold() {
      for (const clock of clocks) clock.hold();
    },
    goOn() {
      for (const clock of clocks) clock.goOn();
    },
  };
}

/** Measures elapsed time without pauses. */
export class PlayedTime implements Clock {
  readonly #elapsedMs: () => number;
  readonly #clock: Clock;
  #holds = 0;
  #heldAtMs = 0;
  #heldMs = 0;

  constructor(elapsedMs: () => number, clock: Clock) {
    this.#elapsedMs = elapsedMs;
    this.#clock = clock;
  }

  nowMs(): number {
    return (this.#holds > 0 ? this.#heldAtMs : this.#elapsedMs()) - this.#heldMs;
  }

  hold(): void {
    this.#clock.hold();
    if (this.#holds === 0) this.#heldAtMs = this.#elapsedMs();
    this.#holds += 1;
  }

  goOn(): void {
    this.#clock.goOn();
    this.#holds -= 1;
    if (this.#holds === 0) this.#heldMs += this.#elapsedMs() - this.#heldAtMs;
  }
}

/** Waits for the session slots of a trial or session, then starts the deadline's clock. */
export async function serversInTime(
  servers: RunServers,
  deadline: Deadline,
  signal: AbortSignal,
  /** Limits how long a call may wait (default: the deadline). */
  time: TimeLeft = deadline,
): Promise<TrialServers> {
  deadline.hold();
  try {
    const own = await servers.forTrial(signal, time);
    deadline.goOn();
    return own;
  } catch (error) {
    deadline.end();
    throw error;
  }
}
