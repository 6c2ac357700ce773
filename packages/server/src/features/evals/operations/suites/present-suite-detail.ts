import type { OutputOf } from '@proofmark/contract';
import {
  defaultJudgeThreshold,
  type SuiteSettings,
  statedParameters,
  statedSetup,
} from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { findClientNames } from '../../../clients/index.ts';
import { listNamedServers } from '../../../servers/index.ts';
import type { AuthoredSuite } from '../../store/eval-suites.ts';

type Shown = OutputOf<'getEvalSuite'>;
type LastAttempt = Shown['schedule']['lastAttempt'];

/** Omits deleted clients. */
export async function presentSuiteDetail(sql: Sql, suite: AuthoredSuite): Promise<Shown> {
  const { definition, schedule } = suite;
  const ids = suite.hosts.map(({ id }) => id);
  const names = await findClientNames(sql, suite.projectId, ids);
  const servers = await listNamedServers(sql, suite.projectId, suite.serverIds);
  return {
    id: suite.id,
    name: suite.name,
    description: suite.description,
    projectId: suite.projectId,
    environment: {
      servers: suite.serverIds.flatMap((id) => servers.find((one) => one.id === id)?.name ?? []),
      serverIds: [...suite.serverIds],
      computerEnvironment: null,
    },
    mode: definition.mode ?? 'agentWorkflow',
    executionConfig: presentExecution(definition),
    hosts: suite.hosts.flatMap(({ id, serverIds }) => {
      const name = names.get(id);
      return name === undefined
        ? []
        : [{ id, name, ...(serverIds && { servers: [...serverIds] }) }];
    }),
    environmentIds: [...suite.environmentIds],
    settings: presentSettings(definition.settings),
    schedule: {
      ...schedule,
      nextRunAt: suite.scheduleNextAt?.getTime() ?? null,
      lastAttempt: presentAttempt(suite.scheduleAttempt),
    },
    tags: [...suite.tags],
    createdAt: suite.createdAt.getTime(),
    updatedAt: suite.updatedAt.getTime(),
  };
}

function presentAttempt(attempt: AuthoredSuite['scheduleAttempt']): LastAttempt {
  return attempt === null ? null : { at: attempt.atMs, error: attempt.error };
}

/**
 * The provider is only for display. A model id that already contains its provider is used
 * unchanged.
 */
function presentExecution(definition: AuthoredSuite['definition']): Shown['executionConfig'] {
  const { model, systemPrompt } = definition;
  const provider = definition.provider ?? providerOf(model);
  const parameters = { model, provider, systemPrompt, ...statedParameters(definition) };
  const fields = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return fields.length === 0 ? null : Object.fromEntries(fields);
}

export function providerOf(model: string | undefined): string | undefined {
  const slash = model?.indexOf('/') ?? -1;
  return slash > 0 ? model?.slice(0, slash) : undefined;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a plain list of fields, each with its default.
function presentSettings(settings: SuiteSettings): Shown['settings'] {
  const { judge, minimumAccuracy, verdictPolicyDefaults, toolPolicy } = settings;
  const { allowWrites, sessions, recordings, replayIgnore, quarantineShare } = settings;
  const isLegacy = minimumAccuracy !== undefined && verdictPolicyDefaults === undefined;
  return {
    minimumAccuracy: minimumAccuracy ?? null,
    minimumIterations: settings.minimumIterations ?? null,
    matchOptions: settings.matchOptions ?? null,
    checks: settings.checks ?? [],
    judge: {
      enabled: judge?.enabled ?? false,
      model: judge?.model ?? null,
      ...(judge?.provider !== undefined && { provider: judge.provider }),
      autoRun: judge?.autoRun ?? false,
      threshold: judge?.threshold ?? defaultJudgeThreshold,
    },
    ...(!isLegacy && { verdictPolicyVersion: 2 as const }),
    ...(verdictPolicyDefaults && { verdictPolicyDefaults }),
    ...(toolPolicy && { toolPolicy }),
    ...(allowWrites && { allowWrites }),
    ...(sessions && { sessions }),
    ...(recordings && { recordings }),
    ...(replayIgnore && { replayIgnore }),
    ...(quarantineShare !== undefined && { quarantineShare }),
    ...statedSetup(settings),
  };
}
