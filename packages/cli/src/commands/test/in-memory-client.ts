/** A project in the memory of this process, asked as a service is: in its words, and with its refusals. */
import { ApiError } from '@proofmark/client';
import { errorStatus } from '@proofmark/contract';
import type { TestClient } from './open-service.ts';

type Server = Pick<typeof import('@proofmark/server/in-memory'), 'checkedBody' | 'refusalIn'>;
type Project = import('@proofmark/server/in-memory').InMemoryProject;

export async function answerOrRefuse<Answer>(
  { refusalIn }: Pick<Server, 'refusalIn'>,
  ask: () => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === undefined) throw error;
    throw new ApiError(errorStatus[refusal.code], refusal, undefined);
  }
}

export function inMemoryClient(server: Server, project: Project): TestClient {
  const answer = <Answer>(ask: () => Answer | Promise<Answer>) => answerOrRefuse(server, ask);
  const { checkedBody } = server;
  return {
    importEvalSuite: ({ body }) =>
      answer(() => project.importSuite(checkedBody('importEvalSuite', spelled(body)))),
    createEvalRun: ({ body }) =>
      answer(() => project.launch(checkedBody('createEvalRun', spelled(body)))),
    getEvalRun: ({ runId }) => answer(() => project.readRun(runId)),
    listEvalRunIterations: ({ projectId: _, runId, limit, cursor, before: _before, ...filter }) =>
      answer(() =>
        project.readTrials(runId, filter, {
          ...(limit !== undefined && { limit }),
          ...(cursor !== undefined && { cursor }),
        }),
      ),
    getEvalIterationRecording: ({ runId, iterationId }) =>
      answer(() => project.readRecording(runId, iterationId)),
    getEvalRunSurface: () => answer(() => project.refuseSurface()),
    cancelEvalRun: ({ runId }) => answer(() => project.cancelRun(runId)),
    listProjectServers: () => answer(() => ({ items: project.servers.list() })),
    createProjectServer: ({ body }) =>
      answer(() => project.servers.create(checkedBody('createProjectServer', spelled(body)))),
    updateProjectServer: ({ serverId, body }) =>
      answer(() =>
        project.servers.update(serverId, checkedBody('updateProjectServer', spelled(body))),
      ),
  };
}

/** As it would be sent: what is not known is left out. */
function spelled(body: object): unknown {
  return JSON.parse(JSON.stringify(body));
}
