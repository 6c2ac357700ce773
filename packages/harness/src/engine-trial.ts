import {
  type ClientConfig,
  type EvalCaseDefinition,
  planSetup,
  type RunPlan,
  resolveMatchOptions,
} from '@proofmark/domain';
import { createRunServers } from '../../server/src/conversation/create-run-servers.ts';
import type { RunServers, TrialServers } from '../../server/src/conversation/run-servers.ts';
import type { RunServersDependencies } from '../../server/src/conversation/run-servers-parts.ts';
import { runTrial } from '../../server/src/conversation/run-trial.ts';
import type { TrialDependencies } from '../../server/src/conversation/trial-dependencies.ts';
import type { TrialRecord } from '../../server/src/conversation/trial-record.ts';
import type { McpGateway } from '../../server/src/outside/mcp/mcp-gateway.ts';
import type { McpTarget } from '../../server/src/outside/mcp/mcp-target.ts';
import { ModelFailure } from '../../server/src/outside/model/model-failure.ts';
import type { ModelGateway } from '../../server/src/outside/model/model-gateway.ts';
import {
  createScriptedModel,
  type ScriptedModel,
} from '../../server/src/outside/model/scripted-model.ts';
import { linearPatterns } from '../../server/src/outside/patterns/linear-patterns.ts';
import { httpTarget } from './mcp-servers/gateway-for-test.ts';
import type { ModelLine } from './stage-row.ts';

export interface TrialServer {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly target?: Partial<McpTarget>;
}

export function planFor(
  definition: Omit<EvalCaseDefinition, 'title'>,
  servers: readonly Pick<TrialServer, 'id' | 'name'>[],
  more: Partial<Omit<RunPlan, 'client'>> & { readonly client?: Partial<ClientConfig> } = {},
): RunPlan {
  const { client, ...others } = more;
  const { expectedOutput, advancedConfig, timeoutMs, elicitations } = definition;
  return {
    planVersion: 1,
    suite: { id: 'suite', name: 'Suite' },
    servers: servers.map(({ id, name }) => ({ id, name })),
    client: {
      config: { modelId: 'scripted/one', clientCapabilities: {}, hostContext: {}, ...client },
    },
    skills: [],
    limits: { maxModelSteps: 5, trialTimeoutMs: 20_000 },
    cases: [
      {
        caseId: 'case',
        caseKey: 'case',
        title: 'Case',
        steps: definition.steps,
        isNegative: definition.isNegative ?? false,
        matchOptions: resolveMatchOptions(definition.matchOptions),
        assertions: definition.checks?.list ?? [],
        failOnToolError: definition.failOnToolError ?? true,
        passThreshold: 1,
        ...(expectedOutput === undefined ? {} : { expectedOutput }),
        ...(advancedConfig as object | undefined),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(elicitations === undefined ? {} : { elicitations }),
        ...planSetup(definition),
        variants: [{ model: 'scripted/one', repetitions: 1 }],
      },
    ],
    ...others,
  };
}

export function runServersFor(
  mcp: McpGateway,
  servers: readonly TrialServer[],
  more: Partial<RunServersDependencies> = {},
): RunServers {
  return createRunServers({
    mcp,
    organizationId: 'organization',
    targets: servers.map(({ id, name, url, target }) => ({
      id,
      name,
      target: async () => httpTarget(url, { serverId: id, ...target }),
    })),
    verifyEgress: async () => true,
    elapsedMs: () => performance.now(),
    firstPauseMs: 5,
    ...more,
  });
}

export function runServersOf(trialServers: Pick<TrialServers, 'open' | 'callTool'>): RunServers {
  const ask = () => Promise.reject(new Error('This fake server only answers tool calls.'));
  const own = { ask, ...trialServers, heldBack: () => undefined, close: () => undefined };
  return {
    forTrial: async () => own,
    listAgain: async () => [],
    close: async () => undefined,
  };
}

export function dependenciesFor(
  servers: RunServers,
  models: ModelGateway,
  more: Partial<TrialDependencies> = {},
): TrialDependencies {
  return {
    servers,
    models,
    modelOf: ({ model }) => ({
      model: { hosted: true, id: model, provider: 'scripted', name: 'one' },
    }),
    skillTexts: new Map(),
    patterns: linearPatterns,
    now: () => Date.now(),
    elapsedMs: () => performance.now(),
    ...more,
  };
}

export function firstTrial(
  dependencies: TrialDependencies,
  plan: RunPlan,
  signal = new AbortController().signal,
): Promise<TrialRecord> {
  const trial = { ordinal: 1, caseIndex: 0, variantIndex: 0, trialNumber: 1 };
  return runTrial(dependencies, plan, trial, signal);
}

/**
 * Returns a model that answers its n-th request of a conversation with `lines[n]`, counted from 0.
 */
export function modelOfLines(lines: readonly ModelLine[]): ScriptedModel {
  return createScriptedModel(({ messages }) => {
    const answers = messages.filter(({ role }) => role === 'assistant').length;
    const line = lines[answers];
    if (line === 'fails') {
      return new ModelFailure('PROVIDER_ERROR', 'The provider answered with HTTP 500.', 3);
    }
    if (line === 'hangs') return new Promise(() => undefined);
    if (line === undefined) throw new Error(`The script has no line ${answers}.`);
    return {
      text: line.text ?? '',
      toolCalls: (line.calls ?? []).map(({ tool, input }, index) => ({
        toolCallId: `call-${answers}-${index}`,
        toolName: tool,
        input: input as Record<string, unknown>,
      })),
    };
  });
}
