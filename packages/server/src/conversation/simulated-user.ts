/**
 * The simulated user of a session. It gets only the conversation's messages and returns the next
 * one. If an answer is missing, truncated or unreadable, the user is asked once more.
 */
import {
  type ChosenModel,
  type ConversationMessage,
  Deadline,
  type JourneySnapshot,
  nextWords,
  readUserAnswer,
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
  /**
   * Returns the next message of the user, or undefined if the model's answer is unusable. The
   * clocks are paused while the request waits for a free request slot in Proofmark.
   */
  next(
    conversation: readonly ConversationMessage[],
    signal: AbortSignal,
    clocks: readonly Clock[],
  ): Promise<SimulatedUserAnswer | undefined>;
  /** The progress of each intent; null for a user without intents. */
  intents(): readonly ScriptedIntent[] | null;
}

type Played = Pick<JourneySnapshot, 'persona' | 'goal'>;

export function scriptedUser({ persona, goal }: Played, sessionIndex: number): SimulatedUser {
  let state: ScriptState | null = null;
  return {
    async next(conversation) {
      const lastAnswer = state === null ? null : (conversation.at(-1)?.text ?? '');
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
    async next(conversation, signal, clocks) {
      const { model, apiKey } = chosen();
      const { system, prompt } = writeUserRequest(played, conversation);
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

/**
 * Asks the user at most twice. Undefined if both answers are unusable; ending the session before
 * the first message is also unusable.
 */
export async function askUser(
  user: SimulatedUser,
  conversation: readonly ConversationMessage[],
  timeoutMs: number,
  session: Pick<Deadline, 'signal' | 'hold' | 'goOn'>,
): Promise<SimulatedUserAnswer | undefined> {
  const { signal } = session;
  for (let tries = 0; tries < 2; tries += 1) {
    const deadline = new Deadline(
      timeoutMs,
      () => new Error('The simulated user did not answer in time.'),
      signal,
    );
    try {
      const answer = await user.next(conversation, deadline.signal, [deadline, session]);
      if (answer !== undefined && !(answer.endSession && conversation.length === 0)) return answer;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof ModelFailure) && !deadline.isOver) throw error;
    } finally {
      deadline.end();
    }
  }
  return undefined;
}
