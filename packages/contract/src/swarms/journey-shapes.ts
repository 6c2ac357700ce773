import {
  AllowWrites,
  Assertion,
  JudgeConfig,
  journeyRunErrors,
  journeyRunStatuses,
  mostCriteria,
} from '@proofmark/domain';
import * as z from 'zod';
import { atLeastOneField, Id, Instant, Name, oneLine, pageOf } from '../fields.ts';
import {
  archivedShape,
  bothNumbersOrNeither,
  EnvironmentIds,
  HostIds,
  MaxTurns,
  numbersTogether,
  SessionsPerTarget,
} from './fields.ts';
import { runVerdictFields } from './run-shapes.ts';

const CriterionShown = z
  .object({ id: z.string(), label: z.string().nullable(), predicate: Assertion })
  .meta({
    id: 'JourneyCriterion',
    description: 'A requirement for every session as a whole.',
  });

export const Journey = z
  .object({
    id: Id,
    projectId: Id,
    name: z.string(),
    goal: z.string(),
    personaId: Id,
    swarmId: Id.nullable(),
    environmentIds: z.array(Id),
    hostIds: z.array(Id).meta({
      description:
        'An addition of Proofmark beyond the specification: the clients to play if no environment is named.',
    }),
    serverAttachmentId: Id.optional(),
    sessionsPerTarget: z.int().nullable(),
    maxTurns: z.int().nullable(),
    rubric: z.array(CriterionShown).meta({
      description:
        'An addition of Proofmark beyond the specification: empty if there is no criterion.',
    }),
    judgeConfig: JudgeConfig.nullable(),
    personaModel: z.string().nullable().meta({
      description:
        'An addition of Proofmark beyond the specification: the model that plays the persona; null for the model that the operator named.',
    }),
    allowWrites: AllowWrites.optional().meta({
      description:
        'An addition of Proofmark beyond the specification: the only tools held for writing that its sessions may call. Absent if no such policy is stated.',
    }),
    createdAt: Instant,
    updatedAt: Instant,
    latestRun: z
      .object({
        id: Id,
        status: z.enum(journeyRunStatuses),
        error: z.enum(journeyRunErrors).optional(),
        createdAt: Instant,
        personaModel: z.string(),
        ...runVerdictFields,
      })
      .nullable()
      .optional()
      .meta({
        description:
          'An addition of Proofmark beyond the specification, only in lists: null if the journey was never run.',
      }),
  })
  .meta({ id: 'Journey', description: 'A goal of a persona, played against targets.' });
export type Journey = z.infer<typeof Journey>;

export const JourneyPage = pageOf(Journey, 'JourneyPage');

export const JourneyFilter = z.strictObject({ swarmId: Id.optional(), personaId: Id.optional() });

const CriterionRequest = z
  .strictObject({
    id: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Generated if omitted. Send it again when you edit the criterion.' }),
    label: oneLine(120, 'A label').nullish(),
    predicate: Assertion.refine(({ type }) => !type.startsWith('widget'), {
      error:
        'The conversations of a journey show no widgets; use an assertion about calls or messages.',
      path: ['type'],
    }).refine(({ type }) => type !== 'goalCompleted' && type !== 'scorer', {
      error: 'A journey has its own judge; configure it in judgeConfig.',
      path: ['type'],
    }),
  })
  .meta({ id: 'JourneyCriterionRequest' });

export const JourneyGoal = z
  .string()
  .trim()
  .min(1, 'A goal must not be empty.')
  .max(4000, 'A goal has at most 4,000 characters.');

const writable = {
  goal: JourneyGoal,
  name: Name,
  environmentIds: EnvironmentIds,
  hostIds: HostIds,
  serverAttachmentId: Id,
  sessionsPerTarget: SessionsPerTarget,
  maxTurns: MaxTurns,
  rubric: z.array(CriterionRequest).max(mostCriteria).nullable(),
  judgeConfig: JudgeConfig.nullable(),
  personaModel: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .nullable()
    .meta({ description: 'A hosted model; null for the model that the operator named.' }),
  allowWrites: AllowWrites.nullable(),
};

export const JourneyCreateRequest = z
  .strictObject({ ...writable, personaId: Id, swarmId: Id })
  .partial()
  .required({ goal: true, personaId: true, sessionsPerTarget: true, maxTurns: true })
  .meta({ id: 'JourneyCreateRequest' });

export const JourneyUpdateRequest = atLeastOneField(
  z
    .strictObject({
      ...writable,
      environmentIds: EnvironmentIds.nullable(),
      serverAttachmentId: Id.nullable(),
      swarmId: Id.nullable().meta({
        description:
          'An addition of Proofmark beyond the specification: null removes the journey from its swarm.',
      }),
    })
    .partial(),
)
  .refine(bothNumbersOrNeither, numbersTogether)
  .meta({
    id: 'JourneyUpdateRequest',
    description: 'Omitted fields keep their values; null clears. The persona cannot be changed.',
  });

export const JourneyArchived = archivedShape('JourneyArchived');
