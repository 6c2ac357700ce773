import { createEnvironment } from './create-environment.ts';
import { type ProjectCaller, projectCaller } from './project-caller.ts';
import { unique } from './reporter.ts';
import type { TestAnswer, TestService } from './test-service.ts';
import type { Tenant } from './two-tenants.ts';

export interface ScenarioCaller {
  readonly ask: ProjectCaller;
  environment(): Promise<string>;
  publish(environmentId: string, body?: object, key?: string): Promise<TestAnswer>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  scenario(body?: object): Promise<any>;
  audited(scenarioId: string): Promise<{ action: string; details: unknown }[]>;
}

export function createScenarioCaller(service: TestService, tenant: Tenant): ScenarioCaller {
  const ask = projectCaller(service, tenant);
  const environment = async () =>
    (await createEnvironment(service, tenant, unique('Environment'))).environmentId;
  const publish = (environmentId: string, body: object = {}, key = tenant.key) =>
    ask('PUT', `environments/${environmentId}/scenario`, body, key);
  return {
    ask,
    environment,
    publish,
    async scenario(body = {}) {
      const made = await publish(await environment(), body);
      if (made.status !== 201) throw new Error(`The scenario could not be published: ${made.text}`);
      return made.body;
    },
    async audited(scenarioId) {
      const lines = await service.owner.sql<{ action: string; details: string | null }[]>`
        select action, details from audit_log where subject_id = ${scenarioId} order by id`;
      return lines.map(({ action, details }) => ({
        action,
        details: details === null ? null : JSON.parse(details),
      }));
    },
  };
}
