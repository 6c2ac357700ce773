/** Launches runs in tests on a built-in model, which needs no API key. */
import { createEnvironment } from './create-environment.ts';
import { type ProjectCaller, projectCaller } from './project-caller.ts';
import { unique } from './reporter.ts';
import type { TestService } from './test-service.ts';
import type { Tenant } from './two-tenants.ts';

export const hostedModel = 'proofmark/lexical-1';

export const weatherSteps = [
  { id: 'ask', kind: 'prompt', prompt: 'What is the weather in Oslo?' },
  {
    id: 'expect',
    kind: 'assert',
    assertion: {
      type: 'toolCalledWith',
      toolName: 'get_weather',
      args: { args: { city: 'Oslo' } },
    },
  },
];

export interface Launcher {
  readonly ask: ProjectCaller;
  /** Returns a launch request whose body contains the suite instead of the id of a saved suite. */
  inline(more?: object): Record<string, unknown>;
  suite(more?: object, patch?: object): Promise<string>;
  environment(): Promise<string>;
  launch(body?: object): Promise<string>;
  ended(): Promise<string>;
}

export function createLauncher(service: TestService, tenant: Tenant): Launcher {
  const ask = projectCaller(service, tenant);
  const expectStatus = async (status: number, ...call: Parameters<ProjectCaller>) => {
    const answer = await ask(...call);
    if (answer.status !== status) throw new Error(answer.text);
    return answer.body;
  };
  const inline = (more: object = {}) => ({
    suiteName: unique('Suite'),
    tests: [{ title: 'Weather', steps: weatherSteps, model: hostedModel }],
    serverIds: [tenant.serverId],
    ...more,
  });
  const launch = async (body: object = inline()): Promise<string> =>
    (await expectStatus(202, 'POST', 'eval-runs', body)).runId;
  return {
    ask,
    inline,
    launch,
    async ended() {
      const runId = await launch();
      await expectStatus(200, 'POST', `eval-runs/${runId}/cancel`);
      return runId;
    },
    async suite(more = {}, patch) {
      const { suiteId } = await expectStatus(201, 'POST', 'eval-suites', {
        name: unique('Suite'),
        serverIds: [tenant.serverId],
        model: hostedModel,
        tests: [{ title: 'Weather', steps: weatherSteps }],
        ...more,
      });
      if (patch !== undefined) await expectStatus(200, 'PATCH', `eval-suites/${suiteId}`, patch);
      return suiteId;
    },
    async environment() {
      const { environmentId } = await createEnvironment(service, tenant, unique('Environment'));
      const edit = { expectedRevision: 1, modelId: hostedModel };
      await expectStatus(200, 'PATCH', `environments/${environmentId}`, edit);
      return environmentId;
    },
  };
}
