import type { RunEstimate } from '@proofmark/domain';
import { expect, test } from 'vitest';
import {
  recordedTrials,
  replayBody,
  replayCosts,
  replayOutcome,
  replaySides,
} from './replay-words.ts';

const state = (one: 'kept' | 'off' | 'tooLarge' | 'expired') => ({
  recording: { state: one, bytes: 0, hash: null },
});
const estimate = (modelAsked: RunEstimate['modelAsked']): RunEstimate => ({
  trials: 4,
  credits: 8,
  creditsLeft: null,
  judges: [],
  modelAsked,
  models: [{ model: 'some/model', trials: 4, cost: 'priced', creditsPerTrial: 2 }],
});
const kept = recordedTrials([state('kept'), state('kept')], true);

test('what it costs is said by the estimate, and nothing where there is none', () => {
  const choice = { form: 'servers', goesOn: false, model: '' } as const;
  const costs = (known?: RunEstimate) => replayCosts(choice, kept, known).costs.join(' ');
  expect(costs(estimate('never'))).toBe(
    'This costs nothing, because the answers of models are recorded.',
  );
  expect(costs(estimate('always'))).toMatch(/^About 8 credits/);
  expect(costs()).toBe('');
});

test('what was not recorded is told, with why', () => {
  const mixed = recordedTrials([state('kept'), state('tooLarge')], true);
  expect(mixed.why).toBeUndefined();
  const choice = { form: 'servers', goesOn: false, model: '' } as const;
  expect(replayCosts(choice, mixed, undefined).plays).toBe(
    '1 recorded trial. 1 trial without a recording will not be graded.',
  );
  expect(recordedTrials([state('off'), {}], true).why).toBe(
    'Nothing of this run is recorded: the suite does not keep recordings of such trials. Only a run whose trials were recorded can be replayed.',
  );
  expect(recordedTrials([state('off')], false).why).toBeUndefined();
});

test('names another model only where the model is asked', () => {
  const asked = (form: 'servers' | 'model') =>
    replayBody('run_1', { form, goesOn: true, model: ' other/large ' });
  const replay = { runId: 'run_1', onDivergence: 'live' };
  expect(asked('model')).toEqual({
    model: 'other/large',
    replay: { ...replay, model: 'live', servers: 'recorded' },
  });
  expect(asked('servers')).toEqual({ replay: { ...replay, model: 'recorded', servers: 'live' } });
});

test('a replayed run is told in words', () => {
  const terms = { runId: 'r', model: 'recorded', servers: 'live', onDivergence: 'stop' } as const;
  const divergence = { side: 'server', kind: 'result', turn: 0, path: '/a', before: '1' } as const;
  const mostFrequent = { ...divergence, after: '2', message: 'It answered otherwise.', trials: 2 };
  const replay = { ...terms, trials: 4, diverged: 3, notRecorded: 1, mostFrequent };
  expect(replaySides(replay)).toBe('the model recorded, the servers live');
  expect(replayOutcome(replay)).toEqual([
    '3 of 4 trials diverged, which is no verdict.',
    '1 trial was not recorded.',
    'Most often, in 2 trials: It answered otherwise.',
  ]);
  const same = { ...replay, diverged: 0, notRecorded: 0, mostFrequent: null };
  expect(replayOutcome(same)).toEqual(['No trial diverged: 4 trials played.']);
});
