import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type InsightEvent,
  type InsightScopeKind,
  type InsightState,
  insightEvents,
  insightScopeKinds,
  insightStates,
  scopeNotReady,
  stepOfInsights,
} from './scope-states.ts';

const run = 'eval_run';
const wave = 'swarm_wave';
const window = 'user_testing_window';

test.each<[InsightScopeKind, InsightState, InsightEvent, InsightState, string]>([
  [run, 'none', 'asked', 'pending', 'begun'],
  [run, 'failed', 'asked', 'pending', 'begun'],
  [run, 'pending', 'asked', 'pending', 'reused'],
  [run, 'completed', 'asked', 'completed', 'reused'],
  [run, 'completed', 'askedByForce', 'pending', 'begun'],
  [run, 'pending', 'askedByForce', 'pending', 'begun'],
  [run, 'pending', 'narrated', 'completed', 'ended'],
  [run, 'pending', 'broken', 'failed', 'ended'],
  [run, 'none', 'narrated', 'none', 'unchanged'],
  [run, 'pending', 'released', 'pending', 'notPending'],
  [wave, 'pending', 'released', 'none', 'released'],
  [wave, 'completed', 'released', 'completed', 'notPending'],
  [wave, 'failed', 'released', 'failed', 'notPending'],
  [wave, 'none', 'released', 'none', 'notPending'],
  [window, 'pending', 'released', 'none', 'released'],
  [window, 'completed', 'released', 'completed', 'unchanged'],
  [window, 'none', 'released', 'none', 'neverAsked'],
])('%s: %s, %s → %s', (kind, from, event, to, outcome) => {
  expect(stepOfInsights(kind, from, event)).toMatchObject({ to, outcome });
});

test('a generation begins, and is charged, exactly where something is to be done', () => {
  for (const kind of insightScopeKinds) {
    for (const from of insightStates) {
      for (const event of insightEvents) {
        const { to, begins, outcome } = stepOfInsights(kind, from, event);
        expect(begins).toBe(outcome === 'begun');
        expect(begins).toBe(event.startsWith('asked') && to === 'pending' && outcome !== 'reused');
      }
    }
  }
});

test('whatever happens in whatever order: asking without force twice is charged once, and only work ends what is pending', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...insightEvents)), (events) => {
      let state: InsightState = 'none';
      for (const event of events) {
        const step = stepOfInsights(wave, state, event);
        if (state === 'pending' && event === 'asked') expect(step.begins).toBe(false);
        if (step.to === 'completed' && state !== 'completed') expect(event).toBe('narrated');
        if (step.to === 'failed' && state !== 'failed') expect(event).toBe('broken');
        state = step.to;
      }
    }),
  );
});

test('a scope that is not ready says why', () => {
  const reasons = insightScopeKinds.map((kind) => scopeNotReady(kind).details?.['reason']);
  expect(reasons).toEqual(['RUN_NOT_TERMINAL', 'WAVE_NOT_TERMINAL', 'WINDOW_NOT_ANALYZED']);
});
