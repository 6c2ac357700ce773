/**
 * Tests that a truncated answer of a simulated user counts as no message, like a truncated answer
 * of the model under test.
 */
import type { JourneySnapshot } from '@proofmark/domain';
import { Deadline } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { createScriptedModel } from '../outside/model/scripted-model.ts';
import { askUser, hostedUser } from './simulated-user.ts';

const played = { persona: { name: 'Ada' }, goal: 'Order tea.' } as unknown as JourneySnapshot;
const model = { hosted: true, id: 'scripted/one', provider: 'scripted', name: 'one' } as const;
const text = JSON.stringify({ message: 'I want tea.', endSession: false });

async function asked(
  ...finishReasons: readonly ('stop' | 'length' | 'content-filter' | 'error')[]
) {
  const models = createScriptedModel(finishReasons.map((finishReason) => ({ text, finishReason })));
  const session = new Deadline(20_000, () => new Error('too long'));
  try {
    const user = hostedUser(models, played, () => ({ model }));
    return { answer: await askUser(user, [], 10_000, session), times: models.requests.length };
  } finally {
    session.end();
  }
}

test.each(['length', 'content-filter', 'error'] as const)(
  'an answer that ended by %s is asked for once more, and then its provider has failed',
  async (finishReason) => {
    expect(await asked(finishReason, 'stop')).toMatchObject({
      answer: { message: 'I want tea.' },
      times: 2,
    });
    expect(await asked(finishReason, finishReason)).toEqual({ answer: undefined, times: 2 });
  },
);
