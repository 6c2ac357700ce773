/**
 * Whoever plays the user of a session. It is given the words of the conversation and gives words back; nothing else
 * crosses. An answer that is nonsense is asked for once more, and so is one that was cut off or never comes.
 */
import {
  type ChosenModel,
  Deadline,
  type JourneySnapshot,
  nextWords,
  readUserAnswer,
  type SaidText,
  type ScriptedIntent,
  type ScriptState,
  type SimulatedUserAnswer,
  writeUserRequest,
} from '@proofmark/domain';
import { sha256Hex } from '../kernel/sha256-hex.ts';
import { ModelFailure } from '../outside/model/model-failure.ts';
import type { ModelGateway } from '../outside/model/model-gateway.ts';
import { askModelComplete } from './ask-model-complete.ts';
import { type Clock, withPausedClocks } from './paused-clocks.ts';

export interface SimulatedUser {
  /** Nothing where it said nothing that can be used. The clocks stand still while it waits for us. */
  next(
    said: readonly SaidText[],
    signal: AbortSignal,
    clocks: readonly Clock[],
  ): Promise<SimulatedUserAnswer | undefined>;
  /** How far it is, where it goes by pieces of the goal. */
  intents(): readonly ScriptedIntent[] | null;
}

type Played = Pick<JourneySnapshot, 'persona' | 'goal'>;

export function scriptedUser({ persona, goal }: Played, sessionIndex: number): SimulatedUser {
  let state: ScriptState | null = null;
  return {
    async next(said) {
      const lastAnswer = state === null ? null : (said.at(-1)?.text ?? '');
      const words = nextWords({ persona, goal, sessionIndex, state, lastAnswer }, sha256Hex);
      state = words.state;
      return words;
    },
    intents: () => state?.intents ?? null,
  };
}

export function hostedUser(
  models: Pick<ModelGateway, 'generate'>,
  played: Played,
  chosen: () => { readonly model: ChosenModel; readonly apiKey?: string },
): SimulatedUser {
  return {
    async next(said, signal, clocks) {
      // One that is not offered any more fails as one whose provider is away.
      const { model, apiKey } = chosen();
      const { system, prompt } = writeUserRequest(played, said);
      const messages = [{ role: 'user', content: prompt }] as const;
      const options = apiKey === undefined ? { signal } : { signal, apiKey };
      const request = { system, messages, tools: [] };
      const held = withPausedClocks(models, clocks);
      const { text } = await askModelComplete(held, model, request, options);
      return readUserAnswer(text);
    },
    intents: () => null,
  };
}

/** Nothing where it failed twice. To end before anything was said is nonsense, too. */
export async function askUser(
  user: SimulatedUser,
  said: readonly SaidText[],
  timeoutMs: number,
  session: Pick<Deadline, 'signal' | 'hold' | 'goOn'>,
): Promise<SimulatedUserAnswer | undefined> {
  const { signal } = session;
  for (let tries = 0; tries < 2; tries += 1) {
    const deadline = new Deadline(timeoutMs, () => new Error('The user took too long.'), signal);
    try {
      const answer = await user.next(said, deadline.signal, [deadline, session]);
      if (answer !== undefined && !(answer.endSession && said.length === 0)) return answer;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof ModelFailure) && !deadline.isOver) throw error;
    } finally {
      deadline.end();
    }
  }
  return undefined;
}
