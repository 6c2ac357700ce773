import type { EvalCaseDefinition, RunPlan } from '@proofmark/domain';
import type { TrialDependencies } from '../../server/src/conversation/trial-dependencies.ts';
import type { TrialRecord } from '../../server/src/conversation/trial-record.ts';
import type { McpTarget } from '../../server/src/outside/mcp/mcp-target.ts';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from './engine-trial.ts';
import {
  type FakeAnswer,
  type FakeMcpServer,
  startFakeMcpServer,
} from './mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from './mcp-servers/gateway-for-test.ts';
import type { ModelLine } from './stage-row.ts';

export type Definition = Omit<EvalCaseDefinition, 'title'>;
export type Step = EvalCaseDefinition['steps'][number];

export const ask = { id: 'ask', kind: 'prompt', prompt: 'What is the weather?' } as const;
export const again = { id: 'again', kind: 'prompt', prompt: 'And tomorrow?' } as const;
export const callWeather: ModelLine = { calls: [{ tool: 'weather', input: { city: 'Rome' } }] };
export const sunny: ModelLine = { text: 'It is sunny.' };

export function expectWeather(id: string, city = 'Rome'): Extract<Step, { kind: 'assert' }> {
  return {
    id,
    kind: 'assert',
    assertion: { type: 'toolCalledWith', toolName: 'weather', args: { args: { city } } },
  };
}

export function pinned(id: string, server: { serverName: string; serverId?: string }): Step {
  return { id, kind: 'toolCall', toolName: 'weather', arguments: { city: 'Rome' }, ...server };
}

export interface PlayOptions {
  readonly plan?: Parameters<typeof planFor>[2];
  readonly dependencies?: Partial<TrialDependencies>;
  readonly runServers?: Parameters<typeof runServersFor>[2];
  /** Changes the plan. The result may be a plan that no suite can produce. */
  readonly change?: (plan: RunPlan) => RunPlan;
  readonly signal?: AbortSignal;
  readonly answers?: Readonly<Record<string, FakeAnswer>>;
  /**
   * Default: `srv_1`. Data is cached by server id, so a unique id separates a test from other
   * tests.
   */
  readonly serverId?: string;
  readonly target?: Partial<McpTarget>;
}

/** Closing the player stops everything that it started. */
export function trialPlayer() {
  const mcp = gatewayForTest();
  const stops: (() => Promise<void>)[] = [];
  const start = async (answers: Readonly<Record<string, FakeAnswer>> = {}) => {
    const tools = ['weather', 'clock'].map((name) => ({ name, inputSchema: { type: 'object' } }));
    const server = await startFakeMcpServer({ 'tools/list': { tools }, ...answers });
    stops.push(() => server.stop());
    return server;
  };
  return {
    mcp,
    start,
    async play(definition: Definition, lines: readonly ModelLine[], options: PlayOptions = {}) {
      const server = await start(options.answers);
      const { serverId: id = 'srv_1', target = {} } = options;
      const servers = [{ id, name: 'Weather', url: server.url, target }];
      const plan = planFor(definition, servers, options.plan);
      const models = modelOfLines(lines);
      const runServers = runServersFor(mcp, servers, options.runServers);
      const dependencies = dependenciesFor(runServers, models, options.dependencies);
      try {
        const record = await firstTrial(
          dependencies,
          options.change?.(plan) ?? plan,
          options.signal,
        );
        return { record, server, models };
      } finally {
        await runServers.close();
      }
    },
    async close() {
      for (const stop of stops.splice(0)) await stop();
      await mcp.close();
    },
  };
}

export function called(server: FakeMcpServer): unknown[] {
  return server.requests
    .filter(({ message }) => message['method'] === 'tools/call')
    .map(({ message }) => (message['params'] as { name: string }).name);
}

export function messagesOf({ trace }: TrialRecord) {
  return trace['messages'] as { role: string; content: unknown; pinned?: boolean }[];
}

export function spansOf({ trace }: TrialRecord) {
  return trace['spans'] as { id: string; category: string; startMs: number; endMs: number }[];
}
