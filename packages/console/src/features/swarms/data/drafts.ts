/** Requests drafts of personas and journeys. They are stored only if a person saves them. */
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import { keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { useSeveral } from '../../../kit/data/operations.ts';
import { type JourneyDraft, journeyOfDraft } from '../bodies.ts';
import type { Persona } from './swarms.ts';

type Drafts = OutputOf<'generatePersonas'>;
export type PersonaDraft = NonNullable<Drafts['persona']>;

export interface DraftRequest {
  readonly environmentId: string;
  /** The swarm to which saved journeys are added. */
  readonly swarmId?: string;
  readonly journeyCount: number;
  readonly description?: string;
  /** The existing persona to draft journeys for. If absent, personas are drafted as well. */
  readonly persona?: Persona;
  readonly personaCount: number;
}

/** A drafted or stored persona with drafted journeys. Only a stored persona has an id. */
export interface DraftedPerson {
  /** The idempotency key for saving the draft, so that saving it again stores nothing twice. */
  readonly key: string;
  readonly persona: PersonaDraft & { readonly id?: string };
  readonly journeys: readonly JourneyDraft[];
}

export interface DraftPlace {
  readonly environmentId: string;
  readonly swarmId?: string;
}

export interface DraftedPeople {
  readonly place: DraftPlace;
  readonly drafter: string;
  readonly people: readonly DraftedPerson[];
}

export function useDraft(projectId: string, known: readonly Persona[]) {
  return useSeveral(
    async (request: DraftRequest): Promise<DraftedPeople> => {
      const { environmentId, swarmId, journeyCount, description, persona, personaCount } = request;
      const grounding = {
        environmentId,
        journeyCount,
        ...(description !== undefined && { description }),
      };
      const answer =
        persona === undefined
          ? await client.generatePersonas({
              projectId,
              body: { ...grounding, personaCount, existingPersonas: namesOf(known) },
            })
          : await client.generateJourneys({
              projectId,
              body: { ...grounding, persona: draftOf(persona) },
            });
      const drafted =
        persona === undefined
          ? (answer.personas ?? [])
          : [{ persona: { ...draftOf(persona), id: persona.id }, journeys: answer.journeys ?? [] }];
      return {
        place: { environmentId, ...(swarmId !== undefined && { swarmId }) },
        drafter: answer.generationModel,
        people: drafted.map((one) => ({ ...one, key: crypto.randomUUID() })),
      };
    },
    [keyOf('getProjectCapabilities', { projectId })],
    { isPartly: true },
  );
}

/**
 * Maximum number of existing personas sent with a request for drafts, newest first. The drafts must
 * differ from them.
 */
const mostKnown = 30;

function namesOf(known: readonly Persona[]): BodyInputOf<'generatePersonas'>['existingPersonas'] {
  return known.slice(0, mostKnown).map(({ name, role }) => ({ name, role }));
}

function draftOf({ name, role, notes }: Persona): PersonaDraft {
  return { name, role, ...(notes !== null && { notes }) };
}

export function useSaveDraft(projectId: string) {
  return useSeveral(
    async (request: {
      readonly person: DraftedPerson;
      readonly chosen: readonly JourneyDraft[];
      readonly place: DraftPlace;
    }) => {
      const { chosen, place } = request;
      const { key, persona, journeys } = request.person;
      const { id, ...body } = persona;
      const personaId =
        id ?? (await client.createPersona({ projectId, body, idempotencyKey: key })).id;
      const saved = [];
      for (const journey of chosen) {
        saved.push(
          await client.createJourney({
            projectId,
            body: journeyOfDraft(journey, personaId, place),
            idempotencyKey: `${key}-${journeys.indexOf(journey)}`,
          }),
        );
      }
      return { personaId, journeys: saved };
    },
    [keyOf('listPersonas', { projectId }), keyOf('listJourneys', { projectId })],
    { isPartly: true },
  );
}
