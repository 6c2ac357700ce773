/**
 * Clocks stand still while a call of a model waits for one of our own places, or is to be sent again because its provider
 * held it back: the time that others take is no time of a conversation. Its provider's client bounds how long a call is
 * tried, and whoever waits is ended with the run.
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

/** As above, only while it waits for credits. */
export function heldForCredits(
  models: Pick<ModelGateway, 'generate'>,
  clock: Clock,
): Pick<ModelGateway, 'generate'> {
  const onHeld = (isHeld: boolean) => (isHeld ? clock.hold() : clock.goOn());
  return {
    generate: (model, request, options) => models.generate(model, request, { ...options, onHeld }),
  };
}

/** A provider that asks us to wait for longer than there is time is not waited for. */
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

/** All of them as one. */
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

/** How long something has been played: it stands still with its clock. */
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

/** The time of a trial or a session begins when it has the slots for its servers. */
export async function serversInTime(
  servers: RunServers,
  deadline: Deadline,
  signal: AbortSignal,
  /** How long a call may wait, where that is less than the whole. */
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
