import { call, type TestAnswer, type TestService } from './test-service.ts';

export type ProjectCaller = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  key?: string,
) => Promise<TestAnswer>;

export function projectCaller(
  service: Pick<TestService, 'baseUrl'>,
  project: { readonly projectId: string; readonly key: string },
): ProjectCaller {
  return (method, path, body, key = project.key) =>
    call(`${service.baseUrl}/api/v1/projects/${project.projectId}/${path}`, {
      method,
      key,
      ...(body !== undefined && { body }),
    });
}
