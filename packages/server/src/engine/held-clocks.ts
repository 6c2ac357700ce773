/**
 * Clocks stand still while a call of a model waits for one of our own places: the time that others of us take is no time
 * of a conversation. Whoever waits is ended with the run.
 */
import type { Deadline } from '@proofmark/domain';
import type { ModelGateway } from '../model/model-gateway.ts';
import type { RunServers, TimeLeft, TrialServers } from './run-servers.ts';

export type Clock = Pick<Deadline, 'hold' | 'goOn'>;

export function withHeldClocks(
  models: Pick<ModelGateway, 'generate'>,
  clocks: readonly Clock[],
): Pick<ModelGateway, 'generate'> {
  return {
    async generate(model, request, options) {
      let isWaiting = true;
      for (const clock of clocks) clock.hold();
      const goOn = () => {
        if (!isWaiting) return;
        isWaiting = false;
        for (const clock of clocks) clock.goOn();
      };
      const onSent = (isSent: boolean) => {
        if (isSent) goOn();
        options.onSent?.(isSent);
      };
      try {
        return await models.generate(model, request, { ...options, onSent });
      } finally {
        goOn();
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
