import { type BodyInputOf, type OutputOf, operations } from '@proofmark/contract';
import { type Json, usualNumbers } from '@proofmark/domain';
import type { JsonDraft } from '../../kit/changes/json-draft.ts';
import type { Journey, Persona, Swarm } from './data/swarms.ts';
import { editOf, readBody, statedFields } from './draft-of-body.ts';

export type JourneyDraft = NonNullable<OutputOf<'generatePersonas'>['journeys']>[number];

export const personaFields = ['name', 'role', 'notes'] as const;

export function readPersona(draft: JsonDraft) {
  return readBody<BodyInputOf<'createPersona'>>(operations.createPersona.body, draft, {
    name: 'Enter a name.',
    role: 'Enter a role.',
  });
}

export function personaEdit(
  before: Persona,
  body: BodyInputOf<'createPersona'>,
): BodyInputOf<'updatePersona'> {
  const stated = statedFields(before, personaFields);
  return editOf(stated, body as Json, { cleared: { notes: '' } });
}

export const swarmFields = [
  ...['name', 'description', 'environmentIds', 'sessionsPerTarget', 'maxTurns'],
];

const numbersAsked = {
  sessionsPerTarget: 'Enter the number of sessions.',
  maxTurns: 'Enter the number of turns.',
};

export function readSwarm(draft: JsonDraft) {
  return readBody<BodyInputOf<'createSwarm'>>(operations.createSwarm.body, draft, {
    name: 'Enter a name.',
    ...numbersAsked,
  });
}

export function swarmEdit(
  before: Swarm,
  body: BodyInputOf<'createSwarm'>,
): BodyInputOf<'updateSwarm'> {
  const stated = statedFields(before, swarmFields);
  return editOf(stated, body as Json, { cleared: {}, together: numberNames });
}

const numberNames = ['sessionsPerTarget', 'maxTurns'];

export const journeyFields = [
  ...['name', 'goal', 'environmentIds', 'hostIds', 'serverAttachmentId'],
  ...['sessionsPerTarget', 'maxTurns', 'rubric', 'judgeConfig', 'personaModel'],
  ...['allowWrites', 'swarmId'],
];

/**
 * Reads the form of a new journey. Only this form has the field for the persona, because a persona
 * cannot be changed later.
 */
export function readNewJourney(draft: JsonDraft) {
  return readBody<BodyInputOf<'createJourney'>>(operations.createJourney.body, draft, {
    goal: 'Enter a goal.',
    personaId: 'Choose a persona.',
    ...numbersAsked,
  });
}

export function readJourneyEdit(draft: JsonDraft) {
  return readBody<BodyInputOf<'updateJourney'>>(operations.updateJourney.body, draft, {
    goal: 'Enter a goal.',
    ...numbersAsked,
  });
}

export function journeyEdit(
  before: Journey,
  body: BodyInputOf<'updateJourney'>,
): BodyInputOf<'updateJourney'> {
  const stated = statedFields(before, journeyFields);
  // A journey must have a name, so an empty field keeps the old name.
  const { name = before.name } = body;
  return editOf(
    stated,
    { ...(body as Json), name },
    { cleared: { hostIds: [] }, together: numberNames },
  );
}

/**
 * Initial values are copied from the swarm. Later changes to the swarm do not affect the journey.
 */
export function journeyStart(swarm: Swarm | undefined, personaId: string | undefined): Json {
  return {
    ...usualNumbers,
    ...(swarm !== undefined && {
      swarmId: swarm.id,
      ...statedFields(swarm, ['environmentIds', 'sessionsPerTarget', 'maxTurns']),
    }),
    ...(personaId !== undefined && { personaId }),
  };
}

/**
 * Converts a draft to a journey that is played in the environment from whose tools it was drafted.
 * Suggested checks become criteria.
 */
export function journeyOfDraft(
  draft: JourneyDraft,
  personaId: string,
  { environmentId, swarmId }: { readonly environmentId: string; readonly swarmId?: string },
): BodyInputOf<'createJourney'> {
  const { goal, name, suggestedChecks = [], allowWrites = [] } = draft;
  return {
    goal,
    personaId,
    environmentIds: [environmentId],
    ...usualNumbers,
    // Sent even if empty. An empty list lets a drafted journey call no writing tool until a person
    // allows one by name.
    allowWrites,
    ...(name !== undefined && { name }),
    ...(swarmId !== undefined && { swarmId }),
    ...(suggestedChecks.length > 0 && {
      rubric: suggestedChecks.map((predicate) => ({ predicate })),
    }),
  };
}
