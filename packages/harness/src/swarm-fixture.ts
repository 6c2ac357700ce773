import type { PricePerMillion } from '@proofmark/domain';
import type { RunLimits } from '../../server/src/platform/spending/run-limits.ts';
import { type EvalFixture, startEvalFixture } from './eval-fixture.ts';
import type { ChatRequest, ModelScript } from './model-servers/start-openai-server.ts';
import { unique } from './reporter.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Answer = any;

export interface SwarmFixture extends EvalFixture {
  environment(serverIds: readonly string[], model?: string, config?: object): Promise<string>;
  journey(fields: object): Promise<string>;
  launch(journeyId: string, body?: object): Promise<Answer>;
  ended(runId: string): Promise<Answer>;
  sessions(runId: string): Promise<readonly Answer[]>;
}

export async function startSwarmFixture(
  scripts: Readonly<Record<string, ModelScript>>,
  limits: Partial<RunLimits> = {},
  prices: Readonly<Record<string, PricePerMillion>> = {},
): Promise<SwarmFixture> {
  const fixture = await startEvalFixture(scripts, limits, prices);
  const { get, service, tenant } = fixture;
  await service.operator.setFeature(tenant.organizationId, 'swarms', 'on');
  const persona = await get(201, 'POST', 'personas', { name: 'Ada', role: 'A busy manager' });
  return {
    ...fixture,
    async environment(serverIds, model = 'local/one', config = {}) {
      const hostId = await fixture.client({ modelId: model, serverIds, ...config });
      const body = { name: unique('Environment'), hostId };
      return (await get(201, 'POST', 'environments', body)).id;
    },
    async journey(fields) {
      const made = { goal: 'What is the weather in Oslo today?', personaId: persona.id };
      const numbers = { sessionsPerTarget: 1, maxTurns: 3 };
      return (await get(201, 'POST', 'journeys', { ...made, ...numbers, ...fields })).id;
    },
    launch: (journeyId, body = {}) => get(202, 'POST', `journeys/${journeyId}/runs`, body),
    async ended(runId) {
      for (let tries = 0; ; tries += 1) {
        const run = await get(200, 'GET', `journey-runs/${runId}`);
        if (run.status !== 'running') return run;
        if (tries > 500) throw new Error(`The run did not end: ${JSON.stringify(run)}`);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    },
    async sessions(runId) {
      return (await get(200, 'GET', `journey-runs/${runId}/sessions`)).items;
    },
  };
}

export function callsOnce(name: string, args: object = {}): ModelScript {
  return ({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'It is sunny.' }
      : { toolCalls: [{ name, arguments: args }] };
}

/** Any role may have sent the last message. */
export function lastText({ messages }: ChatRequest): string {
  const content = messages.at(-1)?.content;
  return typeof content === 'string' ? content : JSON.stringify(content);
}
