import {
  AllowWrites,
  Assertion,
  DataRows,
  InlineTests,
  JudgeSettings,
  MatchOptionsLayer,
  maxCaseAssertions,
  maxIntervalMinutes,
  minIntervalMinutes,
  modelParameterFields,
  QuarantineShare,
  RecordingPolicy,
  ReplayIgnore,
  ScheduleCalendar,
  SessionSharing,
  SuiteSettings,
  setupFields,
  suiteModes,
  ToolPolicy,
  VerdictPolicyDefaults,
} from '@proofmark/domain';
import * as z from 'zod';
import { atLeastOneField, Description, deletedShape, Id, Instant, Name } from '../fields.ts';
import { EvalWarnings } from './warning-shapes.ts';

const Model = z.string().trim().min(1).max(200);
const Percent = z.number().min(0).max(100);
export const maxEnvironmentsOfSuite = 100;
const Environments = z
  .array(Id)
  .min(1, 'An empty list is not allowed; null clears.')
  .max(maxEnvironmentsOfSuite);
const Interval = z.int().min(minIntervalMinutes).max(maxIntervalMinutes);

const ServerReference = z.string().trim().min(1).max(200);
const Servers = z.array(ServerReference).max(200);

const judge = JudgeSettings.shape;
const JudgeEdit = z
  .strictObject({
    enabled: judge.enabled,
    autoRun: judge.autoRun.unwrap().nullable(),
    model: judge.model.unwrap().nullable(),
    provider: judge.provider.unwrap().nullable(),
    threshold: judge.threshold.unwrap().nullable(),
  })
  .partial();

export const EvalSuiteSettingsRequest = z
  .strictObject({
    minimumAccuracy: Percent.nullable().optional().meta({
      description: 'A percentage. A suite that states it without a policy is decided by it alone.',
    }),
    minimumIterations: z.int().min(1).max(10).nullable().optional(),
    matchOptions: MatchOptionsLayer.nullable().optional(),
    checks: z.array(Assertion).max(maxCaseAssertions).nullable().optional(),
    judge: JudgeEdit.optional(),
    verdictPolicyVersion: z.literal(2).optional(),
    verdictPolicyDefaults: VerdictPolicyDefaults.nullable().optional(),
    toolPolicy: ToolPolicy.nullable().optional(),
    allowWrites: AllowWrites.nullable().optional(),
    sessions: SessionSharing.nullable().optional(),
    recordings: RecordingPolicy.nullable().optional(),
    replayIgnore: ReplayIgnore.nullable().optional(),
    quarantineShare: QuarantineShare.nullable().optional(),
    before: setupFields.before.nullable(),
    beforeTimeoutMs: setupFields.beforeTimeoutMs.nullable(),
    after: setupFields.after.nullable(),
    afterTimeoutMs: setupFields.afterTimeoutMs.nullable(),
  })
  .meta({
    id: 'EvalSuiteSettingsRequest',
    description: 'Omitted fields keep their values; null clears.',
  });

export const EvalSuiteCreateRequest = z
  .strictObject({
    name: Name,
    description: Description.optional(),
    serverIds: z.array(Id).min(1).max(200),
    serverNames: z.array(z.string().max(200)).max(200).optional().meta({
      description: 'Accepted and ignored: servers are identified by their ids.',
    }),
    mode: z.enum(suiteModes).optional().meta({
      description:
        'agentWorkflow (default): models are asked. serverContract: no model is asked, so the suite has no model, no prompts and no judge; its cases check the listings and answers of servers.',
    }),
    model: Model.optional().meta({
      description:
        'The model of every test that names none. Required unless the mode is serverContract.',
    }),
    provider: Model.optional(),
    passCriteria: z.strictObject({ minimumPassRate: Percent.optional() }).optional().meta({
      description: 'The same as settings.minimumAccuracy, which takes precedence.',
    }),
    settings: EvalSuiteSettingsRequest.optional(),
    tags: z.array(z.string().trim().min(1).max(100)).max(50).optional(),
    tests: InlineTests,
  })
  .meta({ id: 'EvalSuiteCreateRequest' });

const CaseResult = z.object({ id: Id, name: z.string() });

export const EvalSuiteCreated = z
  .object({
    suiteId: Id,
    name: z.string(),
    servers: z.array(z.object({ id: Id, name: z.string() })),
    caseUpsert: z
      .object({ committed: z.array(CaseResult), failed: z.array(CaseResult) })
      .meta({ description: 'Either all cases are written or none, so failed is always empty.' }),
    warnings: EvalWarnings,
  })
  .meta({ id: 'EvalSuiteCreated' });

export const EvalSuiteImported = EvalSuiteCreated.extend({
  replaced: z
    .boolean()
    .meta({ description: 'True if a suite with this id existed and was replaced.' }),
}).meta({ id: 'EvalSuiteImported' });

export const EvalSuiteImportRequest = z
  .strictObject({
    content: z.string().min(1).meta({
      description:
        'A suite file, YAML or JSON. A case has id, title and ask (the message of the user), then calls, never, returns and says; or call and fails, without a model. Write a call as get_book(bookId: 3), in quotes.',
    }),
    serverIds: z.record(z.string().min(1).max(200), Id).optional().meta({
      description:
        'Ids of saved servers, by the names in the file, for servers that have other names here. A file without a target uses these servers.',
    }),
    model: z.string().trim().min(1).max(200).optional().meta({
      description:
        'Replaces the model under defaults of the file. Not allowed for a server contract.',
    }),
    dataFiles: z.record(z.string().min(1).max(500), DataRows).optional().meta({
      description:
        'The rows of the data files that the suite file names, by file name. The proofmark command reads them from the folder of the suite file.',
    }),
  })
  .meta({ id: 'EvalSuiteImportRequest' });

export const EvalSuiteExported = z
  .object({
    format: z.enum(['yaml', 'json']),
    content: z.string(),
    warnings: z
      .array(z.string())
      .meta({ description: 'Settings of the suite that a file cannot contain.' }),
  })
  .meta({ id: 'EvalSuiteExported' });

const EvalSuiteCalendar = ScheduleCalendar.meta({ id: 'EvalSuiteCalendar' });

export const EvalSuiteSchedule = z
  .object({
    enabled: z.boolean(),
    intervalMinutes: Interval.nullable(),
    calendar: EvalSuiteCalendar.nullable().meta({
      description:
        'An addition of Proofmark beyond the specification: the times of day of the runs. It replaces intervalMinutes, which is then null.',
    }),
    environmentId: Id.nullable(),
    nextRunAt: Instant.nullable().meta({
      description:
        'An addition of Proofmark beyond the specification: the time of the next run; null if the schedule is off.',
    }),
    lastAttempt: z
      .object({
        at: Instant,
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      })
      .nullable()
      .meta({
        description:
          'An addition of Proofmark beyond the specification: the last scheduled launch, with the error if it was refused; null if there was none.',
      }),
  })
  .meta({ id: 'EvalSuiteSchedule' });

export const EvalSuiteScheduleRequest = z
  .strictObject({
    enabled: z.boolean(),
    intervalMinutes: Interval.optional(),
    calendar: EvalSuiteCalendar.optional().meta({
      description:
        'An addition of Proofmark beyond the specification, in place of intervalMinutes.',
    }),
    environmentId: Id.optional(),
  })
  .meta({ id: 'EvalSuiteScheduleRequest' });

export const EvalSuiteEnvironmentAttachRequest = z
  .strictObject({ environmentId: Id })
  .meta({ id: 'EvalSuiteEnvironmentAttachRequest' });

export const EvalSuiteEnvironmentAttached = z
  .object({
    suiteId: Id,
    attached: z.boolean().meta({ description: 'True if this request attached the environment.' }),
    environmentIds: z.array(Id).meta({ description: 'All attached environments.' }),
  })
  .meta({ id: 'EvalSuiteEnvironmentAttached' });

export const EvalSuiteDetail = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string().nullable(),
    projectId: Id,
    environment: z.object({
      servers: z.array(z.string()).meta({ description: 'The names of the saved servers.' }),
      serverIds: z.array(Id).meta({
        description:
          'An addition of Proofmark beyond the specification: the same servers, by their ids.',
      }),
      computerEnvironment: z.null().meta({ description: 'Always null.' }),
    }),
    mode: z.enum(suiteModes),
    executionConfig: z
      .object({
        model: z.string(),
        provider: z.string(),
        systemPrompt: z.string(),
        ...modelParameterFields,
      })
      .partial()
      .nullable(),
    hosts: z
      .array(z.object({ id: Id, name: z.string(), servers: z.array(Id).optional() }))
      .meta({ description: 'The clients as which the suite can run.' }),
    environmentIds: z.array(Id),
    settings: z.object({
      minimumAccuracy: Percent.nullable(),
      minimumIterations: z.int().nullable(),
      matchOptions: SuiteSettings.shape.matchOptions.unwrap().nullable(),
      checks: z.array(Assertion),
      judge: z.object({
        enabled: z.boolean(),
        model: z.string().nullable(),
        provider: z.string().optional(),
        autoRun: z.boolean(),
        threshold: z.number().min(0).max(1),
      }),
      verdictPolicyVersion: z.literal(2).optional().meta({
        description: 'Absent if minimumAccuracy alone decides.',
      }),
      verdictPolicyDefaults: VerdictPolicyDefaults.optional(),
      toolPolicy: ToolPolicy.optional(),
      allowWrites: AllowWrites.optional(),
      sessions: SessionSharing.optional(),
      recordings: RecordingPolicy.optional(),
      replayIgnore: ReplayIgnore.optional(),
      quarantineShare: QuarantineShare.optional(),
      ...setupFields,
    }),
    schedule: EvalSuiteSchedule,
    tags: z.array(z.string()),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'EvalSuiteDetail' });
export type EvalSuiteDetail = z.infer<typeof EvalSuiteDetail>;

export const EvalSuiteUpdated = EvalSuiteDetail.extend({
  warnings: EvalWarnings,
}).meta({ id: 'EvalSuiteUpdated' });

export const EvalSuiteUpdateRequest = atLeastOneField(
  z.strictObject({
    name: Name.optional(),
    description: Description.optional(),
    environment: z
      .strictObject({
        servers: Servers.optional(),
        computerEnvironment: z.null().optional(),
      })
      .optional(),
    environmentIds: Environments.nullable().optional().meta({
      description: 'The list replaces the attached environments; null detaches all.',
    }),
    executionConfig: z
      .strictObject({
        model: Model.optional(),
        provider: Model.nullable().optional(),
        systemPrompt: z.string().max(100_000).nullable().optional(),
        temperature: modelParameterFields.temperature.nullable(),
        topP: modelParameterFields.topP.nullable(),
        maxTokens: modelParameterFields.maxTokens.nullable(),
        seed: modelParameterFields.seed.nullable(),
        reasoningEffort: modelParameterFields.reasoningEffort.nullable(),
      })
      .optional(),
    hosts: z
      .array(
        z.strictObject({
          host: z.string().trim().min(1).max(200).meta({ description: 'A client, by id or name.' }),
          servers: Servers.optional(),
        }),
      )
      .max(50)
      .optional(),
    settings: EvalSuiteSettingsRequest.optional(),
  }),
).meta({ id: 'EvalSuiteUpdateRequest', description: 'Omitted fields keep their values.' });

export const EvalDeleted = deletedShape('EvalDeleted');
