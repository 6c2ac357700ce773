import { describe, expect, test } from 'vitest';
import { startDraft } from '../../kit/changes/json-draft.ts';
import { journeyEdit, journeyStart, personaEdit, readNewJourney } from './bodies.ts';
import { kindOf } from './criterion-kinds.ts';
import type { Journey, Persona } from './data/swarms.ts';
import { isUnderWay } from './may-change.ts';
import { adviceWords, comparedTone, gradeWords, sessionWords } from './session-words.ts';

const numbers = { sessionsPerTarget: 2, maxTurns: 4 };
const journey = {
  id: 'jny_1',
  name: 'Count',
  goal: 'Count the pens.',
  personaId: 'per_1',
  swarmId: null,
  environmentIds: ['env_1'],
  hostIds: [],
  rubric: [],
  ...numbers,
} as unknown as Journey;
const same = { name: 'Count', goal: 'Count the pens.', environmentIds: ['env_1'], ...numbers };

describe('an edit sends only what differs', () => {
  test('and both numbers together', () => {
    expect(journeyEdit(journey, same)).toEqual({});
    expect(journeyEdit(journey, { ...same, maxTurns: 5 })).toEqual({
      sessionsPerTarget: 2,
      maxTurns: 5,
    });
  });

  test('and what clears a field that was taken out', () => {
    const { environmentIds: _gone, ...rest } = same;
    expect(journeyEdit(journey, rest)).toEqual({ environmentIds: null });
    const playing = { ...journey, environmentIds: [], hostIds: ['cli_1'] } as Journey;
    expect(journeyEdit(playing, rest)).toEqual({ hostIds: [] });
    const persona = { name: 'Ann', role: 'Clerk', notes: 'Pens' } as Persona;
    expect(personaEdit(persona, { name: 'Ann', role: 'Clerk' })).toEqual({ notes: '' });
  });

  test('and no empty name, since a journey always has one', () => {
    const { name: _gone, ...rest } = same;
    expect(journeyEdit(journey, rest)).toEqual({});
  });
});

test('a new journey starts from its swarm and asks for what is missing', () => {
  const swarm = { id: 'swm_1', environmentIds: ['env_2'], ...numbers } as never;
  const start = journeyStart(swarm, undefined);
  expect(start).toEqual({ swarmId: 'swm_1', environmentIds: ['env_2'], ...numbers });
  const read = readNewJourney(startDraft(start));
  expect(read).toMatchObject({
    problems: { goal: 'Enter a goal.', personaId: 'Choose a persona.' },
  });
});

test('a criterion that needs more than one value is left to the JSON', () => {
  expect(kindOf({ type: 'toolNeverCalled', toolName: 'x' })?.value?.field).toBe('toolName');
  expect(kindOf({ type: 'toolNeverCalled', toolName: 'x', role: 'advisory' })).toBeUndefined();
  expect(kindOf({ type: 'toolCalledWith' })).toBeUndefined();
});

test('a conversation that ran to its end says nothing by itself, and only a measured failure is red', () => {
  const ungraded = { result: null, grading: { status: null, gradedAt: null } } as const;
  const played = { status: 'succeeded', errorCode: null, begun: 1 } as const;
  const gating = [{ role: 'gating' }] as const;
  expect(sessionWords(played, ungraded, gating)).toEqual({ word: 'played', tone: 'none' });
  const broken = { status: 'failed', errorCode: 'provider_failed', begun: 1 } as const;
  expect(sessionWords(broken, undefined, gating)).toEqual({
    word: 'not played: model provider',
    tone: 'hold',
  });
  expect(sessionWords(played, { ...ungraded, result: 'failed' }, gating)).toEqual({
    word: 'failed',
    tone: 'fail',
  });
});

test('what is advisory is advice in words and colour, and only what gates is a failure', () => {
  expect(gradeWords(false, 'gating')).toEqual({ word: 'did not hold', tone: 'fail' });
  expect(gradeWords(false, 'advisory')).toEqual({ word: 'advice: did not hold', tone: 'hold' });
  expect(gradeWords(true, 'advisory')).toEqual({ word: 'held', tone: 'pass' });
  const criteria = [
    { id: 'a', role: 'gating' },
    { id: 'b', role: 'advisory' },
  ] as const;
  const grades = criteria.map(({ id }) => ({ criterionId: id, passed: false, reason: '' }));
  expect(adviceWords(grades, criteria)).toBe('advice: 1 check did not hold');
  expect(adviceWords([], criteria)).toBeUndefined();
});

test('a criterion that got worse is red only where it decides', () => {
  expect(comparedTone({ corrected: 'regression', role: 'gating' })).toBe('fail');
  expect(comparedTone({ corrected: 'regression', role: 'advisory' })).toBe('hold');
  expect(comparedTone({ corrected: 'no_regression', role: 'advisory' })).toBe('pass');
});

test('a run is read again until the run and its card both have all grades', () => {
  const grades = (pendingCount: number) =>
    ({ criteria: [{ pendingCount }] }) as unknown as Parameters<typeof isUnderWay>[0]['card'];
  const run = { status: 'completed', grades: grades(0), goalCompletion: null };
  const watched = { run, card: grades(0) };
  expect(isUnderWay(watched)).toBe(false);
  expect(isUnderWay({ ...watched, card: grades(1) })).toBe(true);
  expect(isUnderWay({ ...watched, run: { ...run, grades: grades(1) } })).toBe(true);
  expect(isUnderWay({ ...watched, run: { ...run, status: 'running' } })).toBe(true);
  expect(isUnderWay({ ...watched, run: { ...run, goalCompletion: { pendingCount: 1 } } })).toBe(
    true,
  );
});
