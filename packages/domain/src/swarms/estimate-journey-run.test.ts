import { snapshotOf } from '@proofmark/harness/any-sessions.ts';
import { expect, test } from 'vitest';
import { estimateJourneyRun } from './estimate-journey-run.ts';
import type { JourneySnapshot } from './journey-snapshot.ts';

const target = { targetId: 't', modelId: 'assistant' } as JourneySnapshot['targets'][number];
const price = (model: string) => ({ model, inputPerMillion: 1, outputPerMillion: 1 });

function worstOf(more: Partial<JourneySnapshot>): number {
  const snapshot = snapshotOf({ targets: [target], sessionsPerTarget: 1, ...more });
  return estimateJourneyRun(snapshot, []).worstCaseCredits ?? Number.NaN;
}

test('each of the models that a run asks makes it dearer', () => {
  const judge = { model: 'judge', threshold: 0.7 };
  const asked = { judge, personaModel: 'user' };
  const [assistant, user, both, all] = [
    worstOf({ ...asked, prices: [price('assistant')] }),
    worstOf({ ...asked, prices: [price('user')] }),
    worstOf({ ...asked, prices: [price('assistant'), price('user')] }),
    worstOf({ ...asked, prices: [price('assistant'), price('user'), price('judge')] }),
  ];
  expect(Math.min(assistant, user)).toBeGreaterThan(0);
  expect(both).toBeCloseTo(assistant + user);
  expect(all).toBeGreaterThan(both);
});

test('a conversation that is twice as long costs more than twice: each request carries what came before', () => {
  const prices = [price('assistant')];
  expect(worstOf({ prices, maxTurns: 20 })).toBeGreaterThan(3 * worstOf({ prices, maxTurns: 10 }));
});

test('a simulated user may be asked twice for each message, and once more at the end', () => {
  const worst = worstOf({ maxTurns: 1, prices: [price('user')], personaModel: 'user' });
  const output = 4096 / 10_000;
  // There are four requests. Each contains at least one earlier message and allows one answer.
  expect(worst).toBeGreaterThanOrEqual(2 * 2 * 2 * output);
});

test('where a model has no price, there is no worst case', () => {
  expect(estimateJourneyRun(snapshotOf({ targets: [target] }), ['assistant'])).toMatchObject({
    worstCaseCredits: null,
    unpricedModels: ['assistant'],
    sessions: 2,
  });
});
