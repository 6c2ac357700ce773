import { describe, expect, test } from 'vitest';
import { type EditableSuite, editSuite, type SettingsEdit, type SuiteEdit } from './edit-suite.ts';
import type { SuiteSettings } from './suite-definition.ts';

const suite: EditableSuite = {
  name: 'Weather',
  description: 'About rain.',
  definition: {
    declaredId: 'weather',
    model: 'a/b',
    provider: 'a',
    systemPrompt: 'Be brief.',
    settings: { minimumAccuracy: 80, checks: [{ type: 'noToolErrors' }] },
    file: { schemaVersion: '1', servers: [{ name: 'Weather' }], environment: 'Staging' },
  },
  serverIds: ['srv_1'],
  environmentIds: ['env_1', 'env_2'],
  hosts: [],
  schedule: { enabled: true, intervalMinutes: 60, calendar: null, environmentId: 'env_1' },
};

function edited(edit: SuiteEdit, current = suite): EditableSuite {
  const decision = editSuite(current, edit);
  if ('refusal' in decision) throw new Error(decision.refusal.message);
  return decision.suite;
}

test('what is left out stays', () => {
  expect(edited({})).toEqual(suite);
  expect(edited({ name: 'Rain' })).toEqual({ ...suite, name: 'Rain' });
});

describe('settings', () => {
  test.each<[string, SuiteEdit['settings'], SuiteSettings]>([
    ['null takes one away', { checks: null }, { minimumAccuracy: 80 }],
    [
      'a list replaces the other',
      { checks: [{ type: 'widgetRendered' }] },
      { minimumAccuracy: 80, checks: [{ type: 'widgetRendered' }] },
    ],
    [
      'a judge keeps what is not named of it',
      { judge: { threshold: 0.5 } },
      {
        minimumAccuracy: 80,
        checks: [{ type: 'noToolErrors' }],
        judge: { enabled: false, threshold: 0.5 },
      },
    ],
    [
      'null takes away a part of a judge',
      { checks: null, judge: { threshold: null, autoRun: true } },
      { minimumAccuracy: 80, judge: { enabled: false, autoRun: true } },
    ],
    [
      'stating version 2 moves a suite to the policy',
      { verdictPolicyVersion: 2 },
      { minimumAccuracy: 80, checks: [{ type: 'noToolErrors' }], verdictPolicyDefaults: {} },
    ],
    [
      'match options are kept as they were spelled',
      { checks: null, minimumAccuracy: null, matchOptions: { extraToolCalls: 'unlimited' } },
      { matchOptions: { extraToolCalls: 'unlimited' } },
    ],
  ])('%s', (_title, settings, expected) => {
    expect(edited({ settings }).definition.settings).toEqual(expected);
  });
});

test('a provider goes with the model it was named with', () => {
  expect(edited({ executionConfig: { model: 'c/d' } }).definition).not.toHaveProperty('provider');
  expect(edited({ executionConfig: { model: 'a/b' } }).definition.provider).toBe('a');
  const both = edited({ executionConfig: { model: 'c', provider: 'x', systemPrompt: null } });
  expect(both.definition).toMatchObject({ model: 'c', provider: 'x' });
  expect(both.definition).not.toHaveProperty('systemPrompt');
});

test('what the file said about its target does not outlive another target', () => {
  expect(edited({ serverIds: ['srv_2', 'srv_2'] })).toMatchObject({
    serverIds: ['srv_2'],
    definition: { file: { schemaVersion: '1', environment: 'Staging' } },
  });
  expect(edited({ serverIds: ['srv_2'] }).definition.file).not.toHaveProperty('servers');
  const detached = { ...suite, schedule: { ...suite.schedule, enabled: false } };
  expect(edited({ environmentIds: null }, detached)).toMatchObject({
    environmentIds: [],
    schedule: { environmentId: null },
    definition: { file: { servers: [{ name: 'Weather' }] } },
  });
});

test('environments that the schedule needs stay', () => {
  const refusal = (edit: SuiteEdit, current = suite) => {
    const decision = editSuite(current, edit);
    return 'refusal' in decision ? decision.refusal.details?.['reason'] : undefined;
  };
  expect(refusal({ environmentIds: ['env_2'] })).toBe('SCHEDULE_ENVIRONMENT_PINNED');
  expect(refusal({ environmentIds: null })).toBe('SCHEDULE_ENVIRONMENT_PINNED');
  expect(refusal({ environmentIds: ['env_1'] })).toBeUndefined();
  const unpinned = {
    ...suite,
    environmentIds: [],
    schedule: { ...suite.schedule, environmentId: null },
  };
  expect(refusal({ environmentIds: ['env_1'] }, unpinned)).toBeUndefined();
  expect(refusal({ environmentIds: ['env_1', 'env_2'] }, unpinned)).toBe(
    'SCHEDULE_ENVIRONMENT_PIN_REQUIRED',
  );
});

test('a provider of the judge belongs to the model it was named with', () => {
  const judge = { enabled: true, model: 'm', provider: 'p' };
  const { definition } = suite;
  const judged = { ...suite, definition: { ...definition, settings: { judge } } };
  const after = (edit: SettingsEdit['judge']) =>
    edited({ settings: { judge: edit } }, judged).definition.settings.judge;
  expect(after({ model: 'm', enabled: false })).toEqual({ ...judge, enabled: false });
  expect(after({ model: 'n' })).toEqual({ enabled: true, model: 'n' });
  expect(after({ model: null })).toEqual({ enabled: true });
  expect(after({ model: 'n', provider: 'q' })).toEqual({
    enabled: true,
    model: 'n',
    provider: 'q',
  });
});
