import { harnesses, InsightsEnvelope, scenarioFeedbacks, scenarioModes } from '@proofmark/domain';
import * as z from 'zod';
import { atLeastOneField, Description, Id, Instant, Name, pageOf } from '../fields.ts';
import { GuestExecutionShape } from './guest-execution-shapes.ts';

const Mode = z.enum(scenarioModes).meta({
  description:
    'The people who can use the link: members of the project; members and invited addresses; or everybody with the link.',
});

const Link = z.string().nullable().meta({
  description:
    'The address to share. It admits the people whom the mode allows, until it is rotated.',
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
    description:
      'An addition of Proofmark beyond the specification, like the following three fields.',
  }),
  accessVersion: z.int(),
  credentialedServerNames: z.array(z.string()).meta({
    description: 'The servers that visitors use with credentials that are saved here.',
  }),
  environmentError: z.object({ code: z.string(), message: z.string() }).optional().meta({
    description:
      'The reason why the environment cannot be used now; visitors are rejected meanwhile.',
  }),
};

export const ProjectScenario = z.object(listed).meta({
  id: 'ProjectScenario',
  description:
    'A published environment. Fields that its environment does not provide now are null.',
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
        'An addition of Proofmark beyond the specification, like the following three fields. The kind of rating that visitors can give.',
    }),
    welcome: z.string().nullable().meta({ description: 'Shown above the conversation.' }),
    guestExecution: GuestExecutionShape.nullable().meta({
      description: 'The spending limits of visitors without an account; null if none were set.',
    }),
    guestCreditsToday: z.number().nonnegative().meta({
      description:
        'An addition of Proofmark: the credits that they have spent or reserved since midnight UTC.',
    }),
    unsupported: z
      .array(z.enum(['computer', ...harnesses]))
      .optional()
      .meta({
        description:
          'Features of the client that are not supported here; visitors do not get them.',
      }),
  })
  .meta({ id: 'ScenarioDetail' });
export type ScenarioDetail = z.infer<typeof ScenarioDetail>;

export const ScenarioPublishRequest = z
  .strictObject({ name: Name, description: Description, mode: Mode })
  .partial()
  .meta({
    id: 'ScenarioPublishRequest',
    description: 'Used only by the first publication; later requests do not change the scenario.',
  });

const published = {
  id: Id,
  environmentId: Id,
  name: z.string(),
  mode: Mode,
  accessVersion: z
    .int()
    .meta({ description: 'Grows whenever admitted visitors have to be checked again.' }),
  link: Link,
};

export const Scenario = z
  .object({
    ...published,
    projectId: Id.optional(),
    created: z.boolean().optional(),
    overridesIgnored: z.literal(true).optional().meta({
      description:
        'True if the scenario was already published, so that the fields of the request were ignored.',
    }),
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
    insights: InsightsEnvelope.optional().meta({
      description: 'The insights of its newest window.',
    }),
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
      'Omitted fields keep their values, and an empty text clears. feedback and welcome are additions of Proofmark.',
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
