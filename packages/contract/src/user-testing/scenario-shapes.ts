import { harnesses, InsightsEnvelope, scenarioFeedbacks, scenarioModes } from '@proofmark/domain';
import * as z from 'zod';
import { atLeastOneField, Description, Id, Instant, Name, pageOf } from '../fields.ts';
import { GuestExecutionShape } from './guest-execution-shapes.ts';

const Mode = z.enum(scenarioModes).meta({
  description:
    'Who gets in with the link: members of the project, those and invited addresses, or anybody who has it.',
});

const Link = z.string().nullable().meta({
  description: 'The address to share. Whoever the mode lets in can open it until it is rotated.',
});

const ScenarioLink = z.object({ path: z.string(), url: z.string() }).meta({ id: 'ScenarioLink' });

const listed = {
  id: Id,
  projectId: Id.nullable(),
  name: z.string(),
  description: z.string().nullable(),
  mode: Mode.nullable(),
  hostStyle: z.string().nullable(),
  hostId: Id.nullable(),
  hostName: z.string().nullable(),
  serverCount: z.int(),
  serverNames: z.array(z.string()),
  link: ScenarioLink.nullable(),
  createdAt: Instant.nullable(),
  updatedAt: Instant.nullable(),
  environmentId: Id.meta({
    description: 'An addition of Proofmark beyond the specification, as are the three that follow.',
  }),
  accessVersion: z.int(),
  credentialedServerNames: z.array(z.string()).meta({
    description: 'The servers on which visitors act with credentials that are saved here.',
  }),
  environmentError: z
    .object({ code: z.string(), message: z.string() })
    .optional()
    .meta({ description: 'Why the environment cannot be played now; visitors are turned away.' }),
};

export const ProjectScenario = z.object(listed).meta({
  id: 'ProjectScenario',
  description: 'A published environment. What its environment does not tell now is null.',
});
export type ProjectScenario = z.infer<typeof ProjectScenario>;

export const ScenarioPage = pageOf(ProjectScenario, 'ScenarioPage');

const ScenarioServer = z
  .object({ id: Id, name: z.string(), url: z.string().nullable(), useOAuth: z.boolean() })
  .meta({ id: 'ScenarioServer' });

export const ScenarioDetail = z
  .object({
    ...listed,
    modelId: z.string().nullable(),
    systemPrompt: z.string().nullable(),
    temperature: z.number().nullable(),
    requireToolApproval: z.boolean(),
    servers: z.array(ScenarioServer),
    feedback: z.enum(scenarioFeedbacks).meta({
      description:
        'An addition of Proofmark beyond the specification, as are the three that follow. How visitors may rate.',
    }),
    welcome: z.string().nullable().meta({ description: 'Shown above the conversation.' }),
    guestExecution: GuestExecutionShape.nullable().meta({
      description: 'What visitors without an account may spend; null where nobody said so.',
    }),
    guestCreditsToday: z.number().nonnegative().meta({
      description:
        'An addition of Proofmark: what they spent, or have set aside, since midnight UTC.',
    }),
    unsupported: z
      .array(z.enum(['computer', ...harnesses]))
      .optional()
      .meta({
        description: 'What the client names and nothing here plays; visitors go without it.',
      }),
  })
  .meta({ id: 'ScenarioDetail' });
export type ScenarioDetail = z.infer<typeof ScenarioDetail>;

export const ScenarioPublishRequest = z
  .strictObject({ name: Name, description: Description, mode: Mode })
  .partial()
  .meta({
    id: 'ScenarioPublishRequest',
    description: 'Counts for the first publishing alone; later ones change nothing.',
  });

const published = {
  id: Id,
  environmentId: Id,
  name: z.string(),
  mode: Mode,
  accessVersion: z
    .int()
    .meta({ description: 'Grows whenever visitors who got in have to be looked at again.' }),
  link: Link,
};

export const Scenario = z
  .object({
    ...published,
    projectId: Id.optional(),
    created: z.boolean().optional(),
    overridesIgnored: z
      .literal(true)
      .optional()
      .meta({ description: 'It was published before, so nothing that was sent counts.' }),
  })
  .meta({ id: 'Scenario' });
export type Scenario = z.infer<typeof Scenario>;

export const ScenarioDeleted = z
  .object({ environmentId: Id, deleted: z.boolean(), id: Id.optional() })
  .meta({ id: 'ScenarioDeleted' });

const testing = {
  id: Id,
  projectId: Id,
  name: z.string().nullable(),
  description: z.string().nullable(),
  mode: Mode.nullable(),
};

export const UserTestingScenario = z.object(testing).meta({ id: 'UserTestingScenario' });
export type UserTestingScenario = z.infer<typeof UserTestingScenario>;

export const UserTestingScenarioDetail = z
  .object({
    ...testing,
    environmentId: Id.nullable(),
    insights: InsightsEnvelope.optional().meta({ description: 'Of its newest window.' }),
  })
  .meta({ id: 'UserTestingScenarioDetail' });

export const ScenarioUpdateRequest = atLeastOneField(
  z
    .strictObject({
      name: Name,
      description: Description,
      mode: Mode,
      feedback: z.enum(scenarioFeedbacks),
      welcome: z.string().max(2000, 'A welcome has at most 2,000 characters.'),
    })
    .partial(),
)
  .refine(exposureAlone, {
    error: 'mode must be sent alone; edit the other fields of the scenario in a separate request.',
    path: ['mode'],
  })
  .meta({
    id: 'ScenarioUpdateRequest',
    description:
      'What is left out stays, and an empty text empties. feedback and welcome are additions of Proofmark.',
  });

function exposureAlone(body: object): boolean {
  return !('mode' in body) || Object.keys(body).length === 1;
}

export const ScenarioRebindRequest = z
  .strictObject({ environmentId: Id })
  .meta({ id: 'ScenarioRebindRequest' });

export const ScenarioRotateRequest = z.strictObject({}).meta({ id: 'ScenarioRotateRequest' });

export const ScenarioLinkRotated = z
  .object({ id: Id, projectId: Id, rotated: z.literal(true), link: Link })
  .meta({ id: 'ScenarioLinkRotated' });
