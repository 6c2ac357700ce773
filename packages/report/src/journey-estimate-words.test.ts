import { describe, expect, test } from 'vitest';
import {
  journeyEstimatesWords,
  journeyEstimateWords,
  type ShownJourneyEstimate,
} from './journey-estimate-words.ts';

function estimate(more: Partial<ShownJourneyEstimate> = {}): ShownJourneyEstimate {
  return {
    targets: 2,
    sessions: 4,
    maxTurns: 3,
    worstCaseCredits: 0,
    unpricedModels: [],
    assistantModels: ['local/a', 'local/b'],
    personaModel: 'local/user',
    judgeModel: null,
    ownModels: [],
    launchesLeftToday: null,
    creditsLeft: null,
    ...more,
  };
}

describe('before a run', () => {
  test('sessions, models and cost are told', () => {
    expect(journeyEstimateWords(estimate())).toEqual([
      '4 sessions on 2 targets, at most 3 turns each.',
      'The assistant is local/a and local/b, the user is local/user; nobody judges.',
      'This costs nothing.',
    ]);
  });

  test('and what is left of today, with a warning where that may not do', () => {
    const limits = { worstCaseCredits: 12.5, launchesLeftToday: 1, creditsLeft: 4 };
    expect(
      journeyEstimateWords(estimate({ ...limits, judgeModel: 'local/judge' })).slice(1),
    ).toEqual([
      'The assistant is local/a and local/b, the user is local/user; local/judge judges.',
      'It costs at most 12.5 credits.',
      'Left today: 1 launch and 4 credits.',
      'The credits may not be enough: sessions that are open when they are used up are not played.',
    ]);
    expect(journeyEstimateWords(estimate({ launchesLeftToday: 0 }))).toContain(
      'That is not enough launches.',
    );
  });

  test('a price that is not known is no price of nothing, and neither is a bill of one’s own', () => {
    const unpriced = estimate({ worstCaseCredits: null, unpricedModels: ['local/a'] });
    expect(journeyEstimateWords(unpriced)).toContain('No price is known for local/a.');
    expect(journeyEstimateWords(unpriced)).not.toContain('This costs nothing.');
    const own = journeyEstimateWords(estimate({ ownModels: ['mine/a'] }));
    expect(own).not.toContain('This costs nothing.');
    expect(own).toContain(
      'The organization pays its own provider for mine/a, which is not counted here.',
    );
  });
});

test('of several runs the sums are told, and one price that is not known leaves no sum', () => {
  const [one, other] = [
    estimate({ worstCaseCredits: 1, launchesLeftToday: 1 }),
    estimate({ worstCaseCredits: 2, launchesLeftToday: 1 }),
  ];
  expect(journeyEstimatesWords([one, other])).toEqual([
    '8 sessions in 2 runs.',
    'It costs at most 3 credits.',
    'Left today: 1 launch.',
    'That is not enough launches.',
  ]);
  const unknown = estimate({ worstCaseCredits: null, unpricedModels: ['local/x'] });
  expect(journeyEstimatesWords([one, unknown])).toContain('No price is known for local/x.');
  expect(journeyEstimatesWords([])).toEqual([]);
});
